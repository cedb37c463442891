import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAlbum } from '../albums/queries.ts'
import { createDb } from '../database/client.ts'
import type { Photo } from '../database/schema.ts'
import { claimAlbum } from '../faces/engine-queries.ts'
import type { FoundFaces } from '../photos/index-faces.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import { indexedFace } from '../testing/engine-answers.ts'
import { insertStoredPhotos } from '../testing/indexed-photos.ts'
import { addToRound, closeRound, insertRound } from './queries.ts'
import { settleGivenUp, settleIndexed } from './settle.ts'

const COUNT = 30

newAlbumForEachTest()

let photos: Photo[]
/** Another process. */
let other: Pick<typeof domain, 'db' | 'jobs' | 'keyring'>

beforeEach(async () => {
  photos = await insertStoredPhotos(domain.db, album.id, COUNT)
  await claimAlbum(domain.db, album.id, 'embedded')
  await domain.db.transaction().execute(async (trx) => {
    const { id: roundId } = await insertRound(trx, album.id, null)
    await addToRound(trx, roundId, COUNT)
    await closeRound(trx, roundId)
  })
  const fail = (error: Error) => {
    throw error
  }
  other = { ...domain, db: createDb(domain.address, fail) }
})
afterEach(() => other.db.destroy())

/** Photo number 1 has one face, number 2 has two, number 3 none, and so on. */
function faces(photo: Photo): FoundFaces {
  const count = Number.parseInt(photo.filename, 10) % 3
  return {
    photo,
    found: { faces: Array.from({ length: count }, indexedFace), unindexed: [] },
    engine: 'embedded',
  }
}

const settle = (photo: Photo, process: typeof other = domain) => settleIndexed(process, faces(photo))

const counters = async () => {
  const { photos_settled, faces_found } = (await findAlbum(domain.db, { id: album.id }))!
  const { rows } = await sql<{ faces: number; indexed: number }>`
    select
      (select count(*)::int from faces where album_id = ${album.id}) as faces,
      (select count(*)::int from photos where album_id = ${album.id} and state = 'indexed') as indexed
  `.execute(domain.db)
  return { photos_settled, faces_found, ...rows[0]! }
}

const letters = () => domain.db.selectFrom('letters').select('id').where('album_id', '=', album.id).execute()

test('photos that are settled together count once when their jobs run twice, also in two processes, complete the album, and send one letter', async () => {
  await Promise.all(photos.flatMap((photo) => [settle(photo), settle(photo), settle(photo, other)]))
  expect(await counters()).toMatchObject({
    photos_settled: COUNT,
    faces_found: COUNT,
    faces: COUNT,
    indexed: COUNT,
  })
  await settleGivenUp(domain, photos[0]!.id, { engine: 'embedded', reason: 'too late' })
  expect(await counters()).toMatchObject({ photos_settled: COUNT, indexed: COUNT })
  expect(await findAlbum(domain.db, { id: album.id })).toMatchObject({ completed_at: expect.any(Date) })
  const jobs = (await domain.waiting('send-letter')) as { letterId: string }[]
  const [letter, ...others] = await letters()
  expect(others).toEqual([])
  expect(jobs.filter(({ letterId }) => letterId === letter!.id)).toHaveLength(1)
})
