import type { Kysely } from 'kysely'

const COLUMNS = ['thumb_bytes', 'preview_bytes', 'full_bytes']

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of COLUMNS)
    await db.schema
      .alterTable('photos')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const name of COLUMNS) await db.schema.alterTable('photos').dropColumn(name).execute()
}
