import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The existing photos have not been checked.
  await db.schema
    .alterTable('photos')
    .addColumn('is_taken_as_stored', 'boolean', (column) => column.notNull().defaultTo(false))
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('photos').dropColumn('is_taken_as_stored').execute()
}
