import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('submissions')
    .addColumn('id', 'uuid', (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('outcome', 'text', (column) => column.check(sql`outcome in ('matched', 'no_face', 'expired')`))
    .addColumn('selfie_deleted_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute()
  await db.schema.createIndex('submissions_by_age').on('submissions').column('created_at').execute()
  // Selfies that are not deleted yet: there are few at any time, and a job looks for them every minute.
  await sql`create index submissions_with_selfie on submissions (created_at) where selfie_deleted_at is null`.execute(
    db,
  )

  await db.schema
    .createTable('submission_albums')
    .addColumn('submission_id', 'uuid', (column) =>
      column.notNull().references('submissions.id').onDelete('cascade'),
    )
    .addColumn('album_id', 'uuid', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('password_version', 'integer')
    .addPrimaryKeyConstraint('submission_albums_pkey', ['submission_id', 'album_id'])
    .execute()
  await db.schema
    .createIndex('submission_albums_by_album')
    .on('submission_albums')
    .column('album_id')
    .execute()

  await db.schema
    .createTable('submission_matches')
    .addColumn('submission_id', 'uuid', (column) =>
      column.notNull().references('submissions.id').onDelete('cascade'),
    )
    .addColumn('photo_id', 'uuid', (column) => column.notNull().references('photos.id').onDelete('cascade'))
    .addColumn('similarity', 'real', (column) => column.notNull())
    .addPrimaryKeyConstraint('submission_matches_pkey', ['submission_id', 'photo_id'])
    .execute()
  await db.schema
    .createIndex('submission_matches_by_photo')
    .on('submission_matches')
    .column('photo_id')
    .execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['submission_matches', 'submission_albums', 'submissions'])
    await db.schema.dropTable(table).execute()
}
