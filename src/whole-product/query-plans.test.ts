import { randomBytes, randomUUID } from 'node:crypto'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WhichPhotos } from '../contract/desk-photos.ts'
import { createPool, type Db, type Trx } from '../database/client.ts'
import type { Album, Database, Photo } from '../database/schema.ts'
import { facesOfAlbum } from '../faces/embedded/matching/album-face-queries.ts'
import { descriptorsAfter } from '../faces/embedded/queries.ts'
import { findFaceBoxes, recordFaces } from '../photos/face-queries.ts'
import {
  camerasOfAlbum,
  countGivenUp,
  countKinds,
  countPhotosWithoutFace,
  hoursOfAlbum,
  ownersPhoto,
  ownersPhotos,
  skippedFiles,
} from '../photos/owner-queries.ts'
import {
  countPhotosByStage,
  indexedPhotos,
  linkedPhotos,
  photosInOrder,
  storedHashes,
} from '../photos/queries.ts'
import { deleteSubmission, findResults, submissionsOlderThan } from '../search/queries.ts'
import { domainOfFile } from '../testing/domain.ts'
import { indexedFace } from '../testing/engine-answers.ts'
import { fillAlbum } from '../testing/filled-album.ts'
import { albumsWithQuietRounds, findAlbumWithProgress, findOpenRound } from '../uploads/queries.ts'

/** They grow with photos, faces, jobs, matches or submissions. */
const GROWING = [
  ...['photos', 'faces', 'refused_files'],
  ...['submissions', 'submission_albums', 'submission_matches', 'submission_possible_faces'],
  ...['job', 'job_common'],
]

const domain = await domainOfFile()
/** Tells which statements it sends. */
let db: Kysely<Database>
let sent: CompiledQuery[] = []
let album: Album
/** Some of the album's. */
let photos: Photo[]
/** Has 900 matches in the album. */
let submissionId: string

beforeAll(async () => {
  await addManyRows(domain.db)
  const ofAlbum = domain.db.selectFrom('photos').selectAll().where('album_id', '=', album.id)
  photos = await ofAlbum.where('state', '=', 'indexed').limit(5).execute()
  const fail = (error: Error) => {
    throw error
  }
  db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: createPool(domain.address, fail, 2) }),
    log: ({ query }) => void sent.push(query),
  })
})
afterAll(async () => {
  await db?.destroy()
})

/** Fills a database as long use leaves it: 20,000 photos and faces in 20 albums, and as many jobs and matches. */
async function addManyRows(db: Db): Promise<void> {
  for (let count = 0; count < 20; count++) {
    album = await domain.newAlbum()
    await fillAlbum(db, album.id, { photos: 1_000, faces: 1 })
  }
  await sql`
    insert into upload_rounds (album_id, photos_added, closed_at, completed_at)
    select id, 800, now(), now() from albums, generate_series(1, 3)`.execute(db)
  await sql`
    insert into refused_files (album_id, round_id, filename, reason)
    select album_id, id, n || '.gif', 'Only JPEG and PNG files are supported'
    from upload_rounds, generate_series(1, 300) n`.execute(db)
  await sql`
    insert into submissions (outcome, selfie_deleted_at, created_at)
    select 'matched', now(), now() - make_interval(secs => n) from generate_series(1, 3000) n`.execute(db)
  await sql`
    insert into submission_matches (submission_id, photo_id, similarity)
    select submissions.id, photos.id, 90
    from (select id, row_number() over () as n from submissions) submissions
    join (select id, row_number() over () as n from photos) photos on photos.n / 7 = submissions.n`.execute(
    db,
  )
  ;({ id: submissionId } = await db
    .insertInto('submissions')
    .values({ outcome: 'matched', selfie_deleted_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow())
  await sql`
    insert into submission_matches (submission_id, photo_id, similarity)
    select ${submissionId}, id, 90 from photos where album_id = ${album.id} limit 900`.execute(db)
  await sql`
    insert into submission_albums (submission_id, album_id, matches)
    select submission_id, album_id, count(*)
    from submission_matches join photos on photos.id = photo_id group by 1, 2`.execute(db)
  await sql`analyze`.execute(db)
}

/** The statements that a call sends. Its changes are rolled back. */
async function statementsOf(call: (trx: Trx) => unknown): Promise<CompiledQuery[]> {
  const rollBack = new Error('roll back')
  sent = []
  const calling = db.transaction().execute(async (trx) => {
    await call(trx)
    throw rollBack
  })
  await expect(calling).rejects.toBe(rollBack)
  return sent.filter(({ sql: text }) => /^\s*(select|insert|update|delete|with)\b/i.test(text))
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: Plan[]
}

/** The steps of the plan of a statement. */
async function stepsOf({ sql: text, parameters }: CompiledQuery): Promise<Plan[]> {
  const explain = CompiledQuery.raw(`explain (format json) ${text}`, [...parameters])
  const { rows } = await domain.db.executeQuery<{ 'QUERY PLAN': { Plan: Plan }[] }>(explain)
  const steps = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(steps)]
  return steps(rows[0]!['QUERY PLAN'][0]!.Plan)
}

const photoIds = () => photos.map(({ id }) => id)
/** For so many, Postgres may find it cheaper to read a whole table. */
const manyIds = () => Array.from({ length: 2_000 }, () => randomUUID())
const manyNumbers = () => Array.from({ length: 2_000 }, (_, number) => number)

/** The queries of every upload, page, search and periodic job; with the index of those whose rows another one finds, too,
 *  among all others of the album, the submission or the queue. */
const CALLS: [name: string, call: (trx: Trx) => unknown, index?: string][] = [
  ['storedHashes', (trx) => storedHashes(trx, album.id, [randomBytes(32)])],
  ['findOpenRound', (trx) => findOpenRound(trx, album.id, 120)],
  ['albumsWithQuietRounds', (trx) => albumsWithQuietRounds(trx, 120)],
  ['countPhotosWithoutFace', (trx) => countPhotosWithoutFace(trx, album.id), 'photos_of_nobody'],
  ['countKinds', (trx) => countKinds(trx, album.id), 'photos_unclear'],
  ['countKinds, hidden', (trx) => countKinds(trx, album.id), 'photos_hidden'],
  ['ownersPhotos', (trx) => ofOwner(trx, 'all'), 'photos_all_in_order'],
  ['ownersPhotos, searchable', (trx) => ofOwner(trx, 'searchable'), 'photos_in_order'],
  ['ownersPhotos, waiting', (trx) => ofOwner(trx, 'waiting'), 'photos_waiting'],
  ['ownersPhotos, partly', (trx) => ofOwner(trx, 'partly'), 'photos_partly_searchable'],
  ['ownersPhotos of a camera', (trx) => ofOwner(trx, 'all', { camera: 'B' }), 'photos_by_camera'],
  ['ownersPhotos of an hour', (trx) => ofOwner(trx, 'all', { hour: '2025-01-01T10' }), 'photos_all_in_order'],
  ['ownersPhoto', (trx) => ownersPhoto(trx, album.id, photos[0]!.id)],
  ['camerasOfAlbum', (trx) => camerasOfAlbum(trx, album.id, 100), 'photos_by_camera'],
  ['hoursOfAlbum', (trx) => hoursOfAlbum(trx, album.id, 500), 'photos_all_in_order'],
  ['countGivenUp', (trx) => countGivenUp(trx, album.id), 'photos_given_up'],
  ['skippedFiles', (trx) => skippedFiles(trx, album.id, { limit: 1_000 }), 'photos_given_up'],
  ['countPhotosByStage', (trx) => countPhotosByStage(trx), 'photos_given_up'],
  ['photosInOrder', (trx) => photosInOrder(trx, album.id, { limit: 201 }), 'photos_in_order'],
  ['linkedPhotos', (trx) => linkedPhotos(trx, photoIds())],
  ['indexedPhotos', (trx) => indexedPhotos(trx, album.id, photoIds())],
  ['findAlbumWithProgress', (trx) => findAlbumWithProgress(trx, { id: album.id })],
  ['recordFaces', (trx) => recordFaces(trx, findingsOf(photos[0]!))],
  ['facesOfAlbum', (trx) => facesOfAlbum(trx, album.id, 'id', manyIds())],
  ['facesOfAlbum by number', (trx) => facesOfAlbum(trx, album.id, 'number', manyNumbers())],
  ['descriptorsAfter', (trx) => descriptorsAfter(trx, album.id, 0, 10_000), 'faces_by_album'],
  ['findFaceBoxes', (trx) => findFaceBoxes(trx, album.id, [randomUUID()])],
  ['findResults', (trx) => findResults(trx, submissionId, { limit: 20 }), 'submission_matches_best'],
  ['submissionsOlderThan', (trx) => submissionsOlderThan(trx, 180, { withSelfie: true })],
  ['deleteSubmission', (trx) => deleteSubmission(trx, submissionId)],
]
const ofOwner = (trx: Trx, which: WhichPhotos, filter: { camera?: string; hour?: string } = {}) =>
  ownersPhotos(trx, album.id, { which, ...filter }, { limit: 201 })
const findingsOf = (photo: Photo) => ({
  ...{ photo, engine: 'embedded' as const, faceCount: 1, unindexed: [] },
  faces: [{ ...indexedFace(), optOutId: null }],
  places: [],
})

test.each(CALLS)('%s reads no growing table completely', async (_name, call, index) => {
  const statements = await statementsOf(call)
  expect(statements.length).toBeGreaterThan(0)
  const plans = await Promise.all(statements.map(stepsOf))
  const isScan = (step: Plan) => step['Node Type'] === 'Seq Scan' && GROWING.includes(step['Relation Name']!)
  const scanned = statements.filter((_statement, number) => plans[number]!.some(isScan))
  expect(scanned.map((statement) => statement.sql)).toEqual([])
  if (index) expect(plans.flat().map((step) => step['Index Name'])).toContain(index)
})

test('an index finds the rows that are deleted with a row that they refer to', async () => {
  const { rows: missing } = await sql<{ reference: string }>`
    select conrelid::regclass || '.' || attname as reference
    from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and conrelid::regclass::text = any(${GROWING})
      and not exists (
        select from pg_index where indrelid = conrelid and indkey[0] = conkey[1] and indpred is null
      )`.execute(domain.db)
  expect(missing).toEqual([])
})
