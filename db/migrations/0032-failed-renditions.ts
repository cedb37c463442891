import { type Kysely, sql } from 'kysely'

/** What could not be made of a photo. It is not tried again for a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('failed_renditions')
    .addColumn('album_id', 'uuid', (column) => column.notNull())
    .addColumn('sha256', 'bytea', (column) => column.notNull())
    .addColumn('rendition', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('failed_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('failed_renditions_once', ['album_id', 'sha256', 'rendition'])
    .addForeignKeyConstraint(
      'failed_renditions_photo',
      ['album_id', 'sha256'],
      'photos',
      ['album_id', 'sha256'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('failed_renditions').execute()
}
