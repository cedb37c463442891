import type { Kysely } from 'kysely'

/** A zip's address says what is in it, so nothing of it is stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('zip_parts').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
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
