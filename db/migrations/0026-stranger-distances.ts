import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stranger_distances')
    .addColumn('album_id', 'uuid', (column) =>
      column.primaryKey().references('face_collections.album_id').onDelete('cascade'),
    )
    .addColumn('faces', 'integer', (column) => column.notNull())
    .addColumn('couples', 'integer', (column) => column.notNull())
    .addColumn('median', 'real', (column) => column.notNull())
    .addColumn('deviation', 'real', (column) => column.notNull())
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('stranger_distances').execute()
}
