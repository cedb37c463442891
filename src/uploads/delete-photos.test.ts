import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { eraseAlbum } from '../albums/erase.ts'
import { auditLine } from '../audit/audit-line.ts'
import { COMMAND_LINE, eventsOfAlbum } from '../audit/audit-log.ts'
import type { Album } from '../database/schema.ts'
import { indexPhotos } from '../jobs/index-photos.ts'
import { removeFaces, removePhotos } from '../jobs/removals.ts'
import { linkedPhotos } from '../photos/queries.ts'
import { photoFolder } from '../photos/renditions.ts'
import { insertOptOut } from '../testing/album-rows.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { insertMatchedSubmission } from '../testing/matched-submission.ts'
import { newPicture } from '../testing/sample-photos.ts'
import * as two from '../testing/two-engines.ts'
import { album, deps, domain, engines, found, photos, rows } from '../testing/two-engines.ts'
import { uploadBatch } from './accept-batch.ts'
import { deleteFromAlbum } from './delete-photos.ts'

two.indexAlbumForEachTest()

const remove = (ids: string[], from: Album = album) => deleteFromAlbum(domain, from, ids, COMMAND_LINE)
/** The payloads of the album's jobs. The handlers are run by the tests, so they stay in the queue. */
const jobs = async (queue: string) =>
  (await domain.waiting(queue)).filter((job) => 'albumId' in job && job.albumId === album.id)
async function runJobs(engine: 'embedded' | 'rekognition' = 'rekognition'): Promise<void> {
  for (const job of await jobs('remove-photos')) await removePhotos.run(deps(engine), job, { attempt: 1 })
  for (const job of await jobs('remove-faces')) await removeFaces.run(deps(engine), job, { attempt: 1 })
}
const filesOf = ({ sha256 }: { sha256: Buffer }) => domain.storage.count(photoFolder(album.id, sha256))
const rounds = () =>
  domain.db
    .selectFrom('upload_rounds')
    .selectAll()
    .where('album_id', '=', album.id)
    .orderBy('opened_at')
    .execute()
const bytesOf = async (id: string) =>
  Number(
    (
      await domain.db
        .selectFrom('albums')
        .select('bytes_stored')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).bytes_stored,
  )
test('row, files and faces of a photo go, also when another engine is configured, and everything counts without it', async () => {
  const [first, second] = await rows()
  expect(await filesOf(first!)).toBe(2)
  expect(await remove([photos[0]!, photos[1]!, randomUUID()])).toBe(2)
  expect(await two.counters()).toEqual({
    photos_stored: 2,
    photos_settled: 2,
    faces_found: 2,
    rows: 2,
    isReady: true,
  })
  expect(await bytesOf(album.id)).toBe((await rows()).reduce((sum, { size }) => sum + size, 0))
  expect(await linkedPhotos(domain.db, [photos[0]!])).toEqual([])
  expect(await jobs('remove-photos')).toHaveLength(2)
  await runJobs()
  expect([await filesOf(first!), await filesOf(second!), await filesOf((await rows())[0]!)]).toEqual([
    0, 0, 2,
  ])
  expect(await found(deps('embedded'))).toEqual([[], [], [2], [3]])
  expect(await two.facesIn('embedded')).toBe(2)
  expect((await eventsOfAlbum(domain, album.id)).map(auditLine).at(-1)).toContain('  photos deleted  album ')

  expect(await remove([photos[0]!])).toBe(0)
})

test('a photo that is deleted while its faces are found leaves none, and the album is complete without it', async () => {
  const last = await two.addPhoto()
  const { indexPhoto } = engines.embedded
  engines.embedded.indexPhoto = async (albumId, photoId, source) => {
    const bytes = await source.read()
    await remove([last])
    await runJobs('embedded')
    return await indexPhoto(albumId, photoId, { read: async () => bytes })
  }
  expect((await rounds()).at(-1)!.completed_at).toBeNull()
  await indexPhotos.run(deps('embedded'), { photoId: last }, { attempt: 1 })
  expect((await rounds()).at(-1)!.completed_at).not.toBeNull()
  expect(await two.counters()).toMatchObject({ photos_stored: 4, photos_settled: 4, faces_found: 4, rows: 4 })
  expect(await two.facesIn('embedded')).toBe(5)
  for (const job of await jobs('remove-faces')) await removeFaces.run(deps('embedded'), job, { attempt: 1 })
  expect(await two.facesIn('embedded')).toBe(4)
})

test('an upload that is under way still waits for what is to come, and for no more', async () => {
  const [one, other] = await Promise.all([5, 6].map(async () => domain.stage(await newPicture())))
  await uploadBatch(domain, album, { totalIntendedPhotos: 2 }, [one!])
  await remove([(await rows()).find(({ state }) => state === 'stored')!.id])
  expect((await rounds()).at(-1)).toMatchObject({ total: 5, closed_at: null })
  await uploadBatch(domain, album, {}, [other!])
  expect((await rounds()).at(-1)!.closed_at).not.toBeNull()
})

test('the same file can be uploaded again, before and after the files of the first one were removed', async () => {
  for (const jobsRunBefore of [false, true]) {
    const { id, sha256 } = (await rows())[0]!
    await remove([id])
    if (jobsRunBefore) await runJobs('embedded')
    await two.upload(two.pictures.slice(0, 1))
    await runJobs('embedded')
    expect(await filesOf({ sha256 })).toBe(2)
    expect(await rows()).toHaveLength(4)
  }
})

test('an upload whose files were removed, because a second one of the same photo was deleted, is sent again', async () => {
  const picture = await newPicture()
  const storage = {
    ...domain.storage,
    async move(...file: Parameters<typeof domain.storage.move>) {
      await domain.storage.move(...file)
      await uploadBatch(domain, album, {}, [await domain.stage(picture, '5.jpg')])
      await remove([(await rows()).at(-1)!.id])
      await runJobs('embedded')
    },
  }
  const send = async (to: object) =>
    uploadBatch({ ...domain, ...to }, album, {}, [await domain.stage(picture, '5.jpg')])
  await expect(send({ storage })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(await rows()).toHaveLength(4)
  expect(await send({})).toMatchObject({ successful: 1 })
  await runJobs('embedded')
  expect(await filesOf((await rows()).at(-1)!)).toBe(2)
})

test('results and requests to hide photos lose it, and nothing of another album changes', async () => {
  const other = await domain.newAlbum()
  const [foreign] = await insertIndexedPhotos(domain.db, other.id, 1)
  for (const [albumId, photoIds] of [
    [album.id, photos.slice(0, 2)],
    [other.id, [foreign!]],
  ] as const)
    await insertMatchedSubmission(
      domain.db,
      { albumId, passwordVersion: 1 },
      photoIds.map((photoId) => ({ photoId, similarity: 90 })),
    )
  for (const photos_to_hide of [photos.slice(0, 2), photos.slice(0, 1), [foreign!]])
    await insertOptOut(domain.db, album.id, photos_to_hide)
  expect(await remove([photos[0]!, foreign!])).toBe(1)
  const matches = await domain.db.selectFrom('submission_albums').select(['album_id', 'matches']).execute()
  expect(new Map(matches.map((row) => [row.album_id, row.matches]))).toEqual(
    new Map([
      [album.id, 1],
      [other.id, 1],
    ]),
  )
  const requests = await domain.db
    .selectFrom('opt_outs')
    .select('photos_to_hide')
    .where('album_id', '=', album.id)
    .execute()
  expect(requests.map(({ photos_to_hide }) => photos_to_hide)).toEqual(
    expect.arrayContaining([photos.slice(1, 2), null, [foreign]]),
  )
})

test('erasing an album without photos leaves nothing', async () => {
  await remove(photos)
  expect(await eraseAlbum(deps('embedded'), album, COMMAND_LINE)).toEqual({
    rowsRemaining: 0,
    filesRemaining: 0,
    facesRemaining: 0,
  })
})
