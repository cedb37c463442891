import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { PhotoState } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { countFaces, deleteDescriptors } from '../faces/embedded/queries.ts'
import { eraseAlbum as eraseJob } from '../jobs/albums.ts'
import { forgetAuditLog } from '../jobs/retention.ts'
import { createLog } from '../log.ts'
import { indexedPhotos, linkedPhotos } from '../photos/queries.ts'
import { completeRound } from '../testing/completed-round.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import { faceIndexWith } from '../testing/engine-answers.ts'
import { fillAlbum } from '../testing/filled-album.ts'
import { openLetters } from '../testing/mailbox.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { uploadBatch } from '../uploads/accept-batch.ts'
import { settleGivenUp } from '../uploads/settle.ts'
import { eraseAlbum } from './erase.ts'
import { findErasure } from './erasure-queries.ts'
import { findAlbum } from './queries.ts'
import { renewOwnerKey } from './renew-owner-key.ts'

const NOTHING = { rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 }
/** More than is deleted before the call is answered. */
const LARGE = { photos: 1_200, faces: 2 }

newAlbumForEachTest()

let deps: AppContext
beforeEach(() => {
  const faces = faceIndexWith({
    deleteCollection: (albumId) => deleteDescriptors(domain.db, albumId),
    countFaces: (albumId) => countFaces(domain.db, albumId),
  })
  deps = { ...domain, faces, log: createLog('silent') }
})

const erase = (options?: { untilGone: boolean }) => eraseAlbum(deps, album, COMMAND_LINE, options)

/** The payloads of the album's jobs. The handler is run by the tests, so they stay in the queue. */
async function jobs(): Promise<object[]> {
  const waiting = (await domain.waiting('erase-album')) as { albumId: string }[]
  return waiting.filter(({ albumId }) => albumId === album.id)
}
const runJob = async () => eraseJob.run(deps, (await jobs())[0], { attempt: 1 })
const isFinished = async () => (await findErasure(domain.db, { id: album.id }))!.finished_at !== null

/** @returns how often the job ran */
async function runJobs(): Promise<number> {
  for (let runs = 0; ; runs++) {
    if (await isFinished()) return runs
    await runJob()
  }
}

async function rowsLeft() {
  const { rows } = await sql<Record<string, number>>`
    select
      (select count(*)::int from albums where id = ${album.id}) as albums,
      (select count(*)::int from photos where album_id = ${album.id}) as photos,
      (select count(*)::int from faces where album_id = ${album.id}) as faces
  `.execute(domain.db)
  return rows[0]!
}
const NO_ROWS = { albums: 0, photos: 0, faces: 0 }

async function photoThatIs(state: PhotoState): Promise<string> {
  const photo = await domain.db
    .selectFrom('photos')
    .select('id')
    .where('album_id', '=', album.id)
    .where('state', '=', state)
    .limit(1)
    .executeTakeFirstOrThrow()
  return photo.id
}

async function storeFiles(count: number): Promise<void> {
  for (let photo = 0; photo < count; photo++)
    for (const size of ['original', 'thumb'])
      await domain.storage.write(`albums/${album.id}/${photo}/${size}`, Buffer.from('x'), 'image/jpeg')
}

describe('a large album', () => {
  beforeEach(async () => {
    await fillAlbum(domain.db, album.id, LARGE)
    await storeFiles(20)
  })

  test('cannot be found any more when the call returns, and a job deletes the rest', async () => {
    const [photoId, indexedId] = [await photoThatIs('stored'), await photoThatIs('indexed')]
    expect(await indexedPhotos(domain.db, album.id, [indexedId])).toHaveLength(1)
    const faces = album.faces_found + 2 * (1_200 - 36)
    expect(await erase()).toEqual({
      rowsRemaining: 1_200 + faces,
      filesRemaining: 1_200,
      facesRemaining: faces,
    })
    expect(await findAlbum(domain.db, { slug: album.slug })).toBeUndefined()
    expect(await findAlbum(domain.db, { ownerKeyHash: album.owner_key_hash })).toBeUndefined()
    expect(await linkedPhotos(domain.db, [photoId])).toEqual([])
    expect(await indexedPhotos(domain.db, album.id, [indexedId])).toEqual([])
    expect((await domain.newAlbum(album.slug)).slug).not.toBe(album.slug)
    await settleGivenUp(domain, photoId, { engine: 'embedded', reason: 'too late' })

    expect(await jobs()).toHaveLength(2)
    await runJobs()
    expect(await rowsLeft()).toEqual(NO_ROWS)
    expect(await domain.storage.count(`albums/${album.id}`)).toBe(0)
    expect(await erase()).toEqual(NOTHING)
  })

  test('is deleted before the command line goes on', async () => {
    expect(await erase({ untilGone: true })).toEqual(NOTHING)
    expect(await rowsLeft()).toEqual(NO_ROWS)
  })

  test('leaves other albums their turn: a run of its job that needs longer sends the next one', async () => {
    await erase()
    const { deleteFolder } = deps.storage
    let calls = 0
    deps.storage = {
      ...deps.storage,
      // The first runs have no time left.
      deleteFolder: (prefix) => deleteFolder(prefix, calls++ < 2 ? AbortSignal.abort() : undefined),
    }
    await runJob()
    expect(await jobs()).toHaveLength(3)
    expect(await domain.storage.count(`albums/${album.id}`)).toBe(40)
    expect(await isFinished()).toBe(false)
    const runs = 1 + (await runJobs())
    expect(runs).toBeGreaterThanOrEqual(3)
    // The first two were sent by the call. The last run sends none.
    expect(await jobs()).toHaveLength(2 + runs - 1)
    expect(await erase()).toEqual(NOTHING)
  })
})

test('two calls at once erase an album once, and both say that nothing remains', async () => {
  await uploadBatch(domain, album, {}, [await domain.stage(samplePath(1))])
  expect(await Promise.all([erase(), erase()])).toEqual([NOTHING, NOTHING])
  expect(await jobs()).toHaveLength(2)
  const events = await domain.db
    .selectFrom('audit_log')
    .select('event')
    .where('album_id', '=', album.id)
    .where('event', '=', 'album erased')
    .execute()
  expect(events).toHaveLength(1)
})

test('a former owner whose call is under way does not learn what remains', async () => {
  const renewed = await renewOwnerKey(domain, album, COMMAND_LINE)
  expect(await eraseAlbum(deps, renewed.album, COMMAND_LINE)).toEqual(NOTHING)
  await expect(erase()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a batch that arrives while the album is erased is refused, and leaves nothing', async () => {
  const batches = [1, 2, 3, 4].map(async (number) =>
    uploadBatch(domain, album, {}, [await domain.stage(samplePath(number))]),
  )
  const [, ...uploaded] = await Promise.allSettled([erase(), ...batches])
  for (const batch of uploaded)
    if (batch.status === 'rejected') expect(batch.reason).toMatchObject({ code: 'NOT_FOUND' })
  // The second job, which runs when no request can still write.
  await runJob()
  expect(await rowsLeft()).toEqual(NO_ROWS)
  expect(await domain.storage.count(`albums/${album.id}`)).toBe(0)
})

test('a letter that is written while the album is erased is removed with it', async () => {
  const { album } = await completeRound(domain, {})
  const letterId = (await openLetters(domain.db)).at(-1)!
  const outbox = new Set<string>()
  deps.outbox = {
    remove: async (ids) => void ids.forEach((id) => void outbox.delete(id)),
    count: async (ids) => ids.filter((id) => outbox.has(id)).length,
  }
  const { deleteFolder } = deps.storage
  deps.storage = {
    ...deps.storage,
    async deleteFolder(prefix, until) {
      outbox.add(letterId)
      return await deleteFolder(prefix, until)
    },
  }
  expect(await eraseAlbum(deps, album, COMMAND_LINE)).toEqual(NOTHING)
  expect(outbox).toEqual(new Set())
})

test('a letter that cannot be removed counts as remaining, until it is removed', async () => {
  const { album } = await completeRound(domain, {})
  const kept = new Set(await openLetters(domain.db))
  const count = async (ids: string[]) => ids.filter((id) => kept.has(id)).length
  deps.outbox = { count, remove: async () => {} }
  const eraseIt = () => eraseAlbum(deps, album, COMMAND_LINE)
  expect(await eraseIt()).toEqual({ ...NOTHING, filesRemaining: 1 })
  deps.outbox = { count, remove: async (ids) => ids.forEach((id) => void kept.delete(id)) }
  expect(await eraseIt()).toEqual(NOTHING)
})

test('a later check that finds something counts it, and is repeated', async () => {
  expect(await erase()).toEqual(NOTHING)
  const { count } = deps.storage
  deps.storage = { ...deps.storage, count: async (prefix) => (await count(prefix)) + 3 }
  await expect(runJob()).rejects.toThrow('3 rows, files and faces of an erased album remain')
  expect(await findErasure(domain.db, { id: album.id })).toMatchObject({
    files_remaining: 3,
    finished_at: null,
  })
})

test('files that cannot be deleted count as remaining, and the job deletes them later', async () => {
  const { storage } = deps
  const outage = new AppError('SERVICE_UNAVAILABLE', 'The photo storage is currently unavailable')
  deps.storage = { ...storage, deleteFolder: () => Promise.reject(outage) }
  await storeFiles(1)
  expect(await erase()).toMatchObject({ filesRemaining: 2 })
  await expect(runJob()).rejects.toBe(outage)
  deps.storage = storage
  await runJob()
  expect(await erase()).toEqual(NOTHING)
})

test('no other album gets the name of an erased one for 30 days, also when it is made at the same time', async () => {
  const [, made] = await Promise.all([erase(), domain.newAlbum(album.slug)])
  const later = await domain.newAlbum(album.slug)
  for (const { slug } of [made, later]) expect(slug).toMatch(new RegExp(`^${album.slug}-....$`))
  const age = (days: number) =>
    sql`update erasures set erased_at = now() - make_interval(days => ${days}) where album_id = ${album.id}`.execute(
      domain.db,
    )
  await age(29)
  expect((await domain.newAlbum(album.slug)).slug).not.toBe(album.slug)
  await age(31)
  expect((await domain.newAlbum(album.slug)).slug).toBe(album.slug)
})

test('of the name of an erased album only a keyed hash stays', async () => {
  await erase()
  const erasure = await findErasure(domain.db, { id: album.id })
  expect(erasure!.slug_hash).toHaveLength(32)
  expect(JSON.stringify(erasure)).not.toContain(album.slug)
})

test('what is known of an erased album is forgotten after 90 days, unless something remains', async () => {
  await erase()
  const age = (days: number) =>
    sql`update erasures set finished_at = now() - make_interval(days => ${days})`.execute(domain.db)
  await age(89)
  await forgetAuditLog.run(deps, {}, { attempt: 1 })
  expect(await findErasure(domain.db, { id: album.id })).toBeDefined()
  await age(91)
  await forgetAuditLog.run(deps, {}, { attempt: 1 })
  expect(await findErasure(domain.db, { id: album.id })).toBeUndefined()
  await expect(erase()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
