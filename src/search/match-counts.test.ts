import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { findResults, insertSubmission, recordOutcome } from './queries.ts'

newAlbumForEachTest()

let albums: Album[]
let submissionId: string

/** Three albums are searched: two photos are found in the first, one in the second, and none in the third. */
beforeEach(async () => {
  albums = [await domain.newAlbum(), await domain.newAlbum(), await domain.newAlbum()]
  submissionId = await domain.db.transaction().execute((trx) =>
    insertSubmission(
      trx,
      albums.map(({ id }) => ({ albumId: id, passwordVersion: 1, ownerKeyVersion: null })),
    ),
  )
  const [first, second] = albums as [Album, Album]
  const found = [
    ...(await insertIndexedPhotos(domain.db, first.id, 3)).slice(0, 2),
    ...(await insertIndexedPhotos(domain.db, second.id, 1)),
    // Erased since.
    randomUUID(),
  ]
  const sure = found.map((photoId, index) => ({ faceId: randomUUID(), photoId, similarity: 90 + index }))
  await domain.db
    .transaction()
    .execute((trx) => recordOutcome(trx, submissionId, 'matched', { sure, possible: [] }))
})

const counts = async () => {
  const rows = await domain.db
    .selectFrom('submission_albums')
    .select(['album_id', 'matches'])
    .where('submission_id', '=', submissionId)
    .execute()
  return albums.map(({ id }) => rows.find((row) => row.album_id === id)!.matches)
}

const findFew = (db: Db, id: string) => findResults(db, id, { limit: 1 })
const results = async () => (await findFew(domain.db, submissionId))!

test('are recorded with the outcome, for each album that was searched', async () => {
  expect(await counts()).toEqual([2, 1, 0])
  expect(await results()).toMatchObject({ total: 3, matches: [{ media_type: 'image/jpeg' }] })
})

test('are shown as they were recorded, so that no match is read for them', async () => {
  await domain.db.updateTable('submission_albums').set({ matches: 700 }).execute()
  expect((await results()).total).toBe(2_100)
})
