import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Album, Photo, UploadRound } from '../database/schema.ts'
import { fillAlbum } from './filled-album.ts'

const ALBUMS = 20
const PHOTOS_OF_AN_ALBUM = 2_500

/** What queries of a large installation are about. */
export interface ManyRows {
  album: Album
  round: UploadRound
  /** Some photos of the album. */
  photos: Photo[]
  /** Has 2,400 matches in the album. */
  submissionId: string
  /** Has no outcome yet. */
  waitingSubmissionId: string
  /** Of the album. */
  optOutId: string
}

/** Fills a database as years of use leave it: 50,000 photos and as many faces in 20 albums, and as many jobs, matches and
 *  refused files. The statistics of the tables are up to date. */
export async function addManyRows(db: Db, newAlbum: () => Promise<Album>): Promise<ManyRows> {
  const albums: Album[] = []
  for (let count = 0; count < ALBUMS; count++) albums.push(await newAlbum())
  for (const { id } of albums) {
    await fillAlbum(db, id, { photos: PHOTOS_OF_AN_ALBUM, faces: 1 })
    await addRounds(db, id)
  }
  await addOptOuts(db)
  await addSubmissions(db)
  await addJobs(db)
  await sql`analyze`.execute(db)

  const album = await db
    .selectFrom('albums')
    .selectAll()
    .where('id', '=', albums[0]!.id)
    .executeTakeFirstOrThrow()
  const ofAlbum = db.selectFrom('photos').selectAll().where('album_id', '=', album.id)
  return {
    album,
    round: await db
      .selectFrom('upload_rounds')
      .selectAll()
      .where('album_id', '=', album.id)
      .limit(1)
      .executeTakeFirstOrThrow(),
    photos: await ofAlbum.where('state', '=', 'indexed').limit(5).execute(),
    submissionId: await addSubmission(db, album.id, 2_400),
    waitingSubmissionId: await addSubmission(db, album.id, 0),
    optOutId: (
      await db.selectFrom('opt_outs').select('id').where('album_id', '=', album.id).executeTakeFirstOrThrow()
    ).id,
  }
}

/** Three complete rounds, each with 300 refused files. */
async function addRounds(db: Db, albumId: string): Promise<void> {
  await sql`
    insert into upload_rounds (album_id, photos_added, closed_at, completed_at, letter_sent_at)
    select ${albumId}, 800, now(), now(), now() from generate_series(1, 3)`.execute(db)
  await sql`
    insert into refused_files (album_id, round_id, filename, reason)
    select album_id, id, n || '.gif', 'Only JPEG and PNG files are supported'
    from upload_rounds, generate_series(1, 300) n where album_id = ${albumId}`.execute(db)
}

/** One face in each fourth photo has opted out, five at a time. */
async function addOptOuts(db: Db): Promise<void> {
  await sql`
    insert into opt_outs (album_id, state, faces)
    select id, 'hidden', 5 from albums, generate_series(1, 125)`.execute(db)
  await sql`
    insert into opted_out_faces (opt_out_id, album_id, photo_id, box_left, box_top, box_width, box_height)
    select opt_outs.id, photos.album_id, photos.id, 0.1, 0.1, 0.1, 0.1
    from (
      select id, album_id, row_number() over (partition by album_id order by id) as n from photos
    ) photos
    join (
      select id, album_id, row_number() over (partition by album_id order by id) as n from opt_outs
    ) opt_outs on opt_outs.album_id = photos.album_id and opt_outs.n = photos.n / 20
    where photos.n % 4 = 0`.execute(db)
  await sql`
    update faces set opt_out_id = gone.opt_out_id from opted_out_faces gone where gone.photo_id = faces.photo_id`.execute(
    db,
  )
}

/** 3,000 submissions of the last hour with 16 matches and as many questions each, and 30 that are older. */
async function addSubmissions(db: Db): Promise<void> {
  await sql`
    insert into submissions (outcome, selfie_deleted_at, created_at)
    select 'matched', now(), now() - make_interval(secs => case when n % 100 = 0 then 4000 else n end)
    from generate_series(1, 3030) n`.execute(db)
  await sql`
    insert into submission_matches (submission_id, photo_id, similarity)
    select submissions.id, photos.id, 90
    from (select id, row_number() over () as n from submissions) submissions
    join (select id, row_number() over () as n from photos) photos on photos.n / 16 = submissions.n`.execute(
    db,
  )
  await sql`
    insert into submission_possible_faces (submission_id, face_id, similarity)
    select submission_id, faces.id, 70
    from submission_matches join faces on faces.photo_id = submission_matches.photo_id`.execute(db)
  await sql`
    insert into submission_albums (submission_id, album_id, matches)
    select submission_id, album_id, count(*)
    from submission_matches join photos on photos.id = photo_id group by 1, 2`.execute(db)
}

async function addSubmission(db: Db, albumId: string, matches: number): Promise<string> {
  const isMatched = matches > 0
  const { id } = await db
    .insertInto('submissions')
    .values({ outcome: isMatched ? 'matched' : null, selfie_deleted_at: isMatched ? new Date() : null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('submission_albums')
    .values({ submission_id: id, album_id: albumId, matches: isMatched ? matches : null })
    .execute()
  await sql`
    insert into submission_matches (submission_id, photo_id, similarity)
    select ${id}, id, 90 from photos where album_id = ${albumId} and state = 'indexed'
    limit ${matches}`.execute(db)
  return id
}

/** 50,000 jobs that have ended, 500 that wait, and 20 that are active. */
async function addJobs(db: Db): Promise<void> {
  const jobs = (count: number, state: string) =>
    sql`
      insert into pgboss.job (name, state, deletion_seconds, started_on, completed_on)
      select 'index-photos', ${state}::pgboss.job_state, 3600, now(),
        case when ${state} = 'completed' then now() end
      from generate_series(1, ${count}::integer)`.execute(db)
  await jobs(50_000, 'completed')
  await jobs(500, 'created')
  await jobs(20, 'active')
}
