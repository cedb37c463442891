import { expect, test } from 'vitest'
import type { Album } from '../database/schema.ts'
import { findPhoto } from '../photos/queries.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import { newPicture } from '../testing/sample-photos.ts'
import { uploadBatch } from './accept-batch.ts'

newAlbumForEachTest()

/** Indexes as many photos as the queue gives next, one after another.
 *  @returns their albums */
async function indexNext(count: number): Promise<string[]> {
  const albums: string[] = []
  for (let done = 0; done < count; done++) {
    const [job] = await domain.jobs.boss.fetch<{ photoId: string }>('index-photos')
    const photo = (await findPhoto(domain.db, job!.data.photoId))!
    await domain.settle(photo, { faces: [], unindexed: [] })
    albums.push(photo.album_id)
  }
  return albums
}

test('the photos of albums take turns, so a small album beside a large one is done soon', async () => {
  await domain.dropWaiting('index-photos')
  const upload = async (to: Album, count: number) => {
    const files = Array.from({ length: count }, async () => domain.stage(await newPicture(), 'a.png'))
    await uploadBatch(domain, to, {}, await Promise.all(files))
  }
  const [large, small, next] = [album, await domain.newAlbum(), await domain.newAlbum()]
  await upload(large, 4)
  await upload(large, 4)
  await upload(small, 2)
  expect(await indexNext(5)).toEqual([large, small, large, small, large].map(({ id }) => id))
  await upload(next, 2)
  await upload(large, 1)
  expect(await indexNext(8)).toEqual([next, next, ...Array(6).fill(large)].map(({ id }) => id))
})
