import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('face_removals')
    .addColumn('album_id', 'uuid', (column) =>
      column.notNull().references('face_collections.album_id').onDelete('cascade'),
    )
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('former_revision', 'bigint', (column) => column.notNull())
    .addColumn('face_ids', sql`uuid[]`, (column) => column.notNull())
    .addColumn('removed_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('face_removals_pkey', ['album_id', 'revision'])
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('face_removals').execute()
}
