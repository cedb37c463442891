import { expect } from 'vitest'
import { readSample } from '../../src/testing/client.ts'
import { selfieFrom } from '../../src/testing/selfie.ts'
import { enterAsGuest, searchWith } from './album-visits.ts'
import type { OwnedAlbum, Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { variants } from './stage.ts'
import { sees } from './visitor.ts'

const PHOTOS = 3

const test = siteTest()

/** Uploads some of three photos of the same people, and waits until they can be found. */
async function upload(site: Site, album: OwnedAlbum, from: number, to: number): Promise<void> {
  const photos = await variants(await readSample(1), PHOTOS)
  await album.owner.uploadPhotos(album.ownerKey, photos.slice(from, to), { totalIntendedPhotos: PHOTOS })
  const settled = async () => {
    const row = site.database.db.selectFrom('albums').select('photos_settled')
    return (await row.where('slug', '=', album.albumName).executeTakeFirstOrThrow()).photos_settled
  }
  await expect.poll(settled).toBe(to)
}

async function selfie(site: Site) {
  const [{ name, bytes }] = (await variants(await readSample(1), 1)) as [{ name: string; bytes: Buffer }]
  return { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await selfieFrom(site.database.db, name, bytes) }
}

test('a guest searches the photos that are ready, and then those that were added, with the same selfie', async ({
  page,
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Marathon')
  await upload(site, album, 0, 1)
  await enterAsGuest(visitor, album)
  await sees(page, 'The album is being prepared.')
  await sees(page, '1 of 3 photos so far. Search again later for the others.')
  await page.getByRole('button', { name: 'Search these photos' }).click()

  await sees(page, '1 of 3 photos so far. The others are being prepared.')
  await searchWith(page, await selfie(site))
  await sees(page, 'Found 1 Photo!')
  await sees(page, 'This search covered 1 of 3 photos. The others are being prepared.')

  await upload(site, album, 1, 2)
  await page.getByRole('button', { name: 'Search 1 more' }).click()
  await sees(page, 'Found 2 Photos!')
  await sees(page, 'This search covered 2 of 3 photos. The others are being prepared.')

  await upload(site, album, 2, 3)
  await page.getByRole('button', { name: 'Search 1 more' }).click()
  await sees(page, 'Found 3 Photos!')
  await page.getByText(/^This search covered/).waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: 'Back to the progress' }).count()).toBe(0)
})

test('a button leads back to the progress, and a reload begins with the progress', async ({
  page,
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Half Marathon')
  await upload(site, album, 0, 2)
  await enterAsGuest(visitor, album)
  await page.getByRole('button', { name: 'Search these photos' }).click()
  await page.getByRole('button', { name: 'Search Photos' }).waitFor()
  expect(await page.getByRole('progressbar').count()).toBe(0)
  await page.getByRole('button', { name: 'Back to the progress' }).click()
  await sees(page, '2 of 3 photos indexed')
  await page.reload()
  await sees(page, '2 of 3 photos indexed')
})

test('while no photo can be found there is nothing to search', async ({ page, visitor, site }) => {
  const album = await site.createAlbum('Sunday Run')
  await enterAsGuest(visitor, album)
  await page.getByText('NOT STARTED YET').first().waitFor()
  expect(await page.getByRole('button', { name: 'Search these photos' }).count()).toBe(0)
})
