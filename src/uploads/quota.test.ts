import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { findAlbum } from '../albums/queries.ts'
import { skippedFiles } from '../photos/owner-queries.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import { newPicture } from '../testing/sample-photos.ts'
import { uploadBatch } from './accept-batch.ts'
import { insertRefusedFiles, REFUSED_FILES_KEPT } from './queries.ts'
import type { AlbumQuota } from './quota.ts'

const UNLIMITED = 1e12
const fullAt = (most: string) =>
  `The album is full: it holds at most ${most}. Please create another album for the others`

newAlbumForEachTest()

const pictures = (count: number) => Promise.all(Array.from({ length: count }, newPicture))

async function upload(files: Buffer[], albumQuota: AlbumQuota) {
  const staged = await Promise.all(files.map((file) => domain.stage(file, `${randomUUID()}.png`)))
  return await uploadBatch({ ...domain, albumQuota }, album, {}, staged)
}

async function held(): Promise<AlbumQuota> {
  const { photos_stored, bytes_stored } = (await findAlbum(domain.db, { id: album.id }))!
  return { photos: photos_stored, bytes: Number(bytes_stored) }
}

test('a batch fills an album to its last photo, and the others are refused with the reason', async () => {
  const files = await pictures(5)
  const { successful, failed, files: verdicts } = await upload(files, { photos: 3, bytes: UNLIMITED })
  expect({ successful, failed }).toEqual({ successful: 3, failed: 2 })
  expect(verdicts.map(({ status }) => status)).toEqual(['stored', 'stored', 'stored', 'refused', 'refused'])
  expect(verdicts[4]!.message).toBe(fullAt('3 photos'))
  // What does not fit leaves no file: nothing would delete it before the album.
  expect(await domain.storage.count(`albums/${album.id}/`)).toBe(6)
  expect(await held()).toMatchObject({ photos: 3 })
})

test('a full album still recognises its photos, and refuses new ones before they are stored', async () => {
  const [first, second] = (await pictures(2)) as [Buffer, Buffer]
  const quota = { photos: 1, bytes: UNLIMITED }
  await upload([first], quota)
  const files = await domain.storage.count(`albums/${album.id}/`)
  expect(await upload([first], quota)).toMatchObject({ successful: 1, failed: 0 })
  expect((await upload([second], quota)).failure).toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    reason: 'album_full',
    message: fullAt('1 photos'),
  })
  expect(await domain.storage.count(`albums/${album.id}/`)).toBe(files)
})

test('an album holds a number of bytes of originals', async () => {
  const files = await pictures(3)
  const bytes = files[0]!.length + files[1]!.length
  expect(await upload(files, { photos: 10, bytes })).toMatchObject({ successful: 2, failed: 1 })
  expect(await held()).toEqual({ photos: 2, bytes })
  const { failure } = await upload([files[2]!], { photos: 10, bytes: 500e9 })
  expect(failure).toBeUndefined()
  expect((await upload(await pictures(1), { photos: 10, bytes: 0 })).failure?.message).toBe(
    fullAt('0 GB of photos'),
  )
})

test('batches at the same time do not exceed the quota', async () => {
  const files = await pictures(24)
  const quota = { photos: 7, bytes: UNLIMITED }
  const batches = [0, 1, 2, 3, 4, 5].map((batch) => upload(files.slice(batch * 4, batch * 4 + 4), quota))
  const successful = (await Promise.all(batches)).map((result) => result.successful)
  expect(successful.reduce((sum, count) => sum + count)).toBe(7)
  expect(await held()).toMatchObject({ photos: 7 })
})

test('an album keeps a number of refused files, however many are sent', async () => {
  const [photo] = (await pictures(1)) as [Buffer]
  await upload([photo], { photos: 10, bytes: UNLIMITED })
  const round = await domain.db
    .selectFrom('upload_rounds')
    .selectAll()
    .where('album_id', '=', album.id)
    .executeTakeFirstOrThrow()
  const send = (names: number) =>
    domain.db.transaction().execute((trx) => {
      const files = Array.from({ length: names }, () => ({ filename: randomUUID(), reason: 'no photo' }))
      return insertRefusedFiles(trx, round, files)
    })
  await send(REFUSED_FILES_KEPT - 5)
  await send(15)
  await send(15)
  expect(await skippedFiles(domain.db, album.id)).toHaveLength(REFUSED_FILES_KEPT)
})
