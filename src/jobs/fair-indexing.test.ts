import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAlbum } from '../albums/queries.ts'
import { uploadBatch } from '../albums/upload.ts'
import { BATCH_SIZE } from '../contract/limits.ts'
import type { Album } from '../database/schema.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { newPicture } from '../testing/new-picture.ts'
import type { JobDeps } from './define-handler.ts'

let domain: TestDomain

beforeAll(async () => {
  domain = await createTestDomain()
})
afterAll(() => domain?.close())

async function upload(album: Album, photos: number): Promise<void> {
  for (let left = photos; left > 0; left -= BATCH_SIZE) {
    const pictures = Array.from({ length: Math.min(left, BATCH_SIZE) }, newPicture)
    const files = await Promise.all(
      pictures.map(async (picture) => domain.stage(await picture, `${randomUUID()}.png`)),
    )
    const { successful } = await uploadBatch(domain, album, { totalIntendedPhotos: photos }, files)
    expect(successful).toBe(files.length)
  }
}

test('six photos that were sent after three hundred of another album are indexed long before them', async () => {
  const [large, small] = [await domain.newAlbum('Large'), await domain.newAlbum('Small')]
  await upload(large, 300)
  await upload(small, 6)

  const order: string[] = []
  const faces = {
    engine: 'embedded',
    async indexPhoto(albumId) {
      order.push(albumId)
      return { faces: [], unindexed: [] }
    },
  } as Partial<FaceIndex> as FaceIndex
  const readings = {
    queues: async () => [],
    photos: async () => ({}),
    decoders: () => ({ waiting: 0, running: 0 }),
  }
  const log = createLog('silent')
  const metrics = createMetrics(readings, () => {})
  await domain.queue.work({ ...domain, faces, log, metrics } as Partial<JobDeps> as JobDeps)

  const settled = async (albumId: string) => (await findAlbum(domain.db, { id: albumId }))!.photos_settled
  await expect.poll(() => settled(large.id), { timeout: 100_000 }).toBe(300)
  expect(await settled(small.id)).toBe(6)
  expect(order).toHaveLength(306)
  expect(order.lastIndexOf(small.id)).toBeLessThan(50)
})
