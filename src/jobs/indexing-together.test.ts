import { describe, expect, test } from 'vitest'
import { findAlbum } from '../albums/queries.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { createMetrics } from '../metrics.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import { faceIndexWith, indexedFace } from '../testing/engine-answers.ts'
import { insertStoredPhotos } from '../testing/indexed-photos.ts'
import { indexPhotos } from './index-photos.ts'

newAlbumForEachTest()

const COUNT = 40

/** Answers at once, except for one photo that it refuses forever. */
function engineWithout(photoId: string): FaceIndex {
  return faceIndexWith({
    async indexPhoto(_albumId, id) {
      if (id === photoId) throw new Error('The engine crashed')
      return { faces: [indexedFace()], unindexed: [] }
    },
  })
}

test('a photo that fails disturbs none of those that wait with it in the queue', async () => {
  const photos = await insertStoredPhotos(domain.db, album.id, COUNT)
  const payloads = photos.map(({ id }) => ({ photoId: id }))
  await domain.db.transaction().execute((trx) => domain.jobs.send(trx, 'index-photos', payloads))
  const readings = {
    queues: async () => [],
    photos: async () => ({}),
    decoders: () => ({ waiting: 0, running: 0 }),
  }
  await domain.jobs.work({
    ...domain,
    faces: engineWithout(photos[0]!.id),
    metrics: createMetrics(readings, () => {}),
  })

  const settled = async () => (await findAlbum(domain.db, { id: album.id }))!.photos_settled
  await expect.poll(settled, { timeout: 60_000 }).toBe(COUNT - 1)
})

describe.each([1, 2, 16])('with %i engines', (cores) => {
  test('two batches remain for the last engine when all others have a slow photo', () => {
    const { localConcurrency } = indexPhotos.work({ cores, engine: 'embedded' })
    expect(localConcurrency! - (cores - 1)).toBeGreaterThanOrEqual(2)
  })

  test('the next batch is fetched at once', () => {
    const { batchSize } = indexPhotos.work({ cores, engine: 'embedded' })
    expect(batchSize, 'pg-boss pauses after every batch of one').toBeGreaterThan(1)
  })
})
