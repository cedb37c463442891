import type { Kysely } from 'kysely'

/** What zips of photos need. Nothing is known of the photos that were stored before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('photos')
    .addColumn('taken_at', 'text')
    .addColumn('download_size', 'integer')
    .addColumn('download_crc32', 'bigint')
    .execute()

  await db.schema
    .createTable('zip_parts')
    .addColumn('token_hash', 'bytea', (column) => column.primaryKey())
    .addColumn('album_id', 'uuid', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('password_version', 'integer', (column) => column.notNull())
    .addColumn('sealed', 'bytea', (column) => column.notNull())
    .addColumn('ends_at', 'timestamptz', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('zip_parts_by_album').on('zip_parts').column('album_id').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('zip_parts').execute()
  await db.schema
    .alterTable('photos')
    .dropColumn('download_crc32')
    .dropColumn('download_size')
    .dropColumn('taken_at')
    .execute()
}
