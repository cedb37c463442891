import { expect } from 'vitest'
import type { Db } from '../../src/database/client.ts'
import { readSample } from '../../src/testing/client.ts'
import { enterAsGuest, searchWith, selfieOfSample1 } from './album-visits.ts'
import { siteTest } from './site-test.ts'
import { variants } from './stage.ts'
import { sees } from './visitor.ts'

const test = siteTest()
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    const [two, three] = await variants(await readSample(1), 3)
    const photos = [
      { name: 'sample1.jpg', bytes: await readSample(1) },
      { ...two!, name: 'two.jpg' },
      { ...three!, name: 'three.jpg' },
    ]
    await site.fill(album, photos)
    const { db } = site.database
    // In the second photo the person looks different, and in the third one even more so.
    const face = await largestFace(db, 'sample1.jpg')
    const different = moved(face.descriptor, 0.56, 1)
    await replaceFace(db, 'two.jpg', different)
    await replaceFace(db, 'three.jpg', moved(different, 0.4, 2))
    return album
  })
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
test.beforeAll(({ selfie }) => void selfie)

async function largestFace(db: Db, filename: string): Promise<{ id: string; descriptor: Float32Array }> {
  const face = await db
    .selectFrom('face_descriptors')
    .innerJoin('faces', 'faces.id', 'face_descriptors.face_id')
    .innerJoin('photos', 'photos.id', 'faces.photo_id')
    .select(['faces.id', 'descriptor'])
    .where('photos.filename', '=', filename)
    .orderBy('box_width', 'desc')
    .executeTakeFirstOrThrow()
  return { id: face.id, descriptor: new Float32Array(new Uint8Array(face.descriptor).buffer) }
}

async function replaceFace(db: Db, filename: string, descriptor: Float32Array): Promise<void> {
  const { id } = await largestFace(db, filename)
  await db
    .updateTable('face_descriptors')
    .set({ descriptor: Buffer.from(descriptor.buffer) })
    .where('face_id', '=', id)
    .execute()
}

/** A descriptor at this distance. Other periods give directions at a right angle. */
function moved(descriptor: Float32Array, distance: number, period: number): Float32Array {
  const step = distance / Math.sqrt(descriptor.length)
  return descriptor.map((value, index) => value + (Math.floor(index / period) % 2 === 0 ? step : -step))
}

test('a guest confirms a photo that is not sure, and is asked about one that only the confirmed face leads to', async ({
  page,
  visitor,
  clock,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 1 Photo!')
  const question = (photo: string) => page.getByRole('group', { name: `Is this you in ${photo}?` })
  await question('two.jpg').waitFor()
  expect(await question('three.jpg').count()).toBe(0)
  // The face was cut from the photo's own preview.
  const face = question('two.jpg').getByRole('img', { name: 'The face in question' })
  await expect
    .poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(1000)

  await question('two.jpg').getByRole('button', { name: "Yes, that's me" }).click()
  await sees(page, 'Found 2 Photos!')
  await clock.pass(1_500)
  await question('three.jpg').waitFor()
  await sees(page, 'Found 2 Photos!')
  // A question that has just appeared takes no press yet.
  await clock.pass(500)
  await question('three.jpg').getByRole('button', { name: 'No' }).click()
  await page.getByRole('status').getByText('This photo is left out. That was the last one.').waitFor()
  await page.locator('a[download="two.jpg"]').waitFor()
  expect(await page.locator('a[download="three.jpg"]').count()).toBe(0)
})
