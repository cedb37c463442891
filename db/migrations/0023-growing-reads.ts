import { type Kysely, sql } from 'kysely'

/** What the reads of large albums and of large results need. The indexes of photos have few rows, so they are made in one
 *  quick pass. Their conditions are those of src/albums/queries.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index photos_without_face on photos (album_id, filename)
    where state = 'indexed' and face_count = 0`.execute(db)
  await sql`
    create index photos_with_unindexed_faces on photos (album_id, filename)
    where unindexed_faces is not null and face_count > 0`.execute(db)
  await sql`
    create index photos_not_moved on photos (album_id, filename)
    where state = 'indexed' and refused_by is not null and face_count > 0`.execute(db)
  await sql`create index photos_given_up on photos (album_id, created_at) where state = 'given_up'`.execute(
    db,
  )

  await sql`
    create index submission_matches_best on submission_matches (submission_id, similarity desc, photo_id)`.execute(
    db,
  )
  await sql`alter table submission_albums add column matches integer`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table submission_albums drop column matches`.execute(db)
  for (const index of [
    'submission_matches_best',
    'photos_given_up',
    'photos_not_moved',
    'photos_with_unindexed_faces',
    'photos_without_face',
  ])
    await sql`drop index ${sql.ref(index)}`.execute(db)
}
