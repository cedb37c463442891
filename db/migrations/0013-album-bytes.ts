import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('albums')
    .addColumn('bytes_stored', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`
    update albums set bytes_stored = (select coalesce(sum(size), 0) from photos where photos.album_id = albums.id)
  `.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('albums').dropColumn('bytes_stored').execute()
}
