import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { readSample } from '../../src/testing/client.ts'
import { enterAsGuest, enterAsOwner, fillWithRows, searchWith } from './album-visits.ts'
import type { OwnedAlbum } from './site.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const COUNT = 450
const CALL = '**/trpc/albums.browse*'
const MINUTE = 60_000

const test = siteTest({ work: false })
  /** 450 photos without faces. Guests may browse them. */
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await fillWithRows(site, album, COUNT)
    await letBrowse(album, 'on')
    return album
  })
test.beforeAll(({ album }) => void album)

const letBrowse = ({ owner, ownerKey }: OwnedAlbum, browsing: 'on' | 'off') =>
  owner.post(`/api/albums/${ownerKey}/settings`, { browsing })

/** All thumbnails load. */
async function withThumbnails(page: Page): Promise<void> {
  const picture = { width: 64, height: 48, channels: 3, background: '#a86' } as const
  const body = await sharp({ create: picture }).webp().toBuffer()
  await page.route('**/photos/*/thumb?*', (route) => route.fulfill({ body, contentType: 'image/webp' }))
}

const tiles = (page: Page) => page.locator('main li')
const loaded = (page: Page, count: number) =>
  expect.poll(() => tiles(page).first().getAttribute('aria-setsize')).toBe(String(count))
const toTheEnd = (page: Page) =>
  page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
const browseLink = (page: Page) => page.getByRole('link', { name: 'Browse all photos' })
const open = async (page: Page, { albumName }: OwnedAlbum) => {
  await withThumbnails(page)
  await page.goto(`/album/${albumName}?photos=all`)
}

test('a guest browses all photos instead of a search, has an address for it, and finds the search as it was', async ({
  page,
  visitor,
  album,
}) => {
  await withThumbnails(page)
  await enterAsGuest(visitor, album)
  await searchWith(page, { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await readSample(1) })
  await sees(page, 'No Photos Found')
  await browseLink(page).click()
  await page.getByRole('heading', { name: 'All 450 photos' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
  expect(new URL(page.url()).search).toBe('?photos=all')
  await page.getByRole('link', { name: /^Open 1\.jpg/ }).waitFor()
  await page.getByRole('link', { name: 'Download 1.jpg' }).waitFor()

  await page.goBack()
  await page.getByRole('heading', { name: 'No Photos Found' }).waitFor()
  expect(await page.getByRole('heading', { name: 'All 450 photos' }).count()).toBe(0)
  await page.goForward()
  await page.reload()
  await page.getByRole('heading', { name: 'All 450 photos' }).waitFor()
  await page.getByRole('link', { name: 'Search with a selfie' }).click()
  await page.getByRole('button', { name: 'Search Photos' }).waitFor()
})

test('further pages come when the visitor scrolls to the end, and after a failure when they ask', async ({
  visit,
  album,
}) => {
  const visitor = await visit({ device: 'phone' })
  const { page } = visitor
  await visitor.signInAs(album.owner)
  await open(page, album)
  await loaded(page, 200)
  await toTheEnd(page)
  await loaded(page, 400)
  await page.route(CALL, (route) => route.fulfill({ status: 503, body: 'No' }))
  await toTheEnd(page)
  await sees(page, 'The photos could not be loaded')
  await page.unroute(CALL)
  await page.getByRole('button', { name: 'Try again' }).click()
  await loaded(page, COUNT)
  await page.getByRole('status').getByText('Showing 450 of 450 photos').waitFor()
  expect(await page.getByText('The photos could not be loaded').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  await toTheEnd(page)
  await page.getByRole('link', { name: /^Open 99\.jpg/ }).waitFor()
  expect(await tiles(page).count()).toBeLessThan(70)
})

test('a guest downloads all photos, which are loaded for it, or those that they choose', async ({
  page,
  visitor,
  album,
}) => {
  /** How many photos each zip is asked for. */
  const asked: number[] = []
  await page.route('**/trpc/zips.create', (route) => {
    asked.push(route.request().postDataJSON().photos.length)
    return route.abort()
  })
  await visitor.signInAs(album.owner)
  await open(page, album)
  await page.getByRole('button', { name: 'Download all 450' }).click()
  await expect.poll(() => asked).toEqual([COUNT])
  await page.getByRole('button', { name: 'Select' }).click()
  await page
    .getByRole('link', { name: /1\.jpg/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await expect.poll(() => asked).toEqual([COUNT, 1])
})

test('with more photos than a zip may have, a guest downloads chosen ones', async ({
  page,
  visitor,
  site,
}) => {
  const large = await site.createAlbum('Large Party')
  await fillWithRows(site, large, 501)
  await visitor.signInAs(large.owner)
  await open(page, large)
  await page.getByRole('button', { name: 'Select' }).click()
  await page.getByRole('button', { name: 'None' }).waitFor()
  expect(await page.getByRole('button', { name: 'All' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await page.getByRole('button', { name: /Download all/ }).count()).toBe(0)
})

test('the addresses of all loaded pages are renewed before they expire, and what was erased is gone', async ({
  page,
  clock,
  visitor,
  site,
}) => {
  const small = await site.createAlbum('Small Party')
  await fillWithRows(site, small, 201)
  await visitor.signInAs(small.owner)
  await open(page, small)
  await loaded(page, 200)
  await toTheEnd(page)
  await loaded(page, 201)
  const { db } = site.database
  await db
    .deleteFrom('photos')
    .where('filename', '=', '201.jpg')
    .where('album_id', '=', db.selectFrom('albums').select('id').where('slug', '=', small.albumName))
    .execute()
  await clock.pass(56 * MINUTE)
  await loaded(page, 200)
  await sees(page, 'All 200 photos')

  await small.owner.delete(`/api/albums/${small.ownerKey}`)
  await clock.pass(56 * MINUTE)
  await sees(page, 'Album Not Found')
})

test('the page says that an album is not open to guests, or has no photos yet', async ({
  page,
  visitor,
  site,
}) => {
  const closed = await site.createAlbum('Closed Party')
  await fillWithRows(site, closed, 1)
  await enterAsGuest(visitor, closed)
  expect(await browseLink(page).count()).toBe(0)
  await open(page, closed)
  await sees(page, 'Not open to guests')
  await letBrowse(closed, 'on')
  await page.reload()
  await page.getByRole('heading', { name: '1 photo', exact: true }).waitFor()

  const empty = await site.createAlbum('Empty Party')
  await enterAsOwner(visitor, empty)
  await open(page, empty)
  await sees(page, 'No photos yet')
})

test('on a phone the owner finds all photos, deletes two after one question, and renames the album', async ({
  site,
  visit,
}) => {
  const album = await site.createAlbum('Gardn Party')
  await fillWithRows(site, album, 3)
  const visitor = await visit({ device: 'phone' })
  const { page } = visitor
  await withThumbnails(page)
  await visitor.signInAs(album.owner)
  await page.goto(`/album/${album.albumName}`)
  await page.getByRole('link', { name: 'See all photos' }).click()
  await page.getByRole('heading', { name: 'All 3 photos' }).waitFor()
  await page.getByRole('button', { name: 'Select' }).click()
  expect(await page.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  for (const name of ['1.jpg', '3.jpg']) await page.getByRole('checkbox', { name }).check({ force: true })
  await page.getByRole('button', { name: 'Delete' }).click()
  await sees(page, 'Delete 2 photos for good?')
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await tiles(page).count()).toBe(3)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByRole('heading', { name: '1 photo', exact: true }).waitFor()
  await page.getByRole('link', { name: /^Open 2\.jpg/ }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
  await page.reload()
  await page.getByRole('heading', { name: '1 photo', exact: true }).waitFor()

  await page.getByRole('link', { name: 'Search with a selfie' }).click()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('New name').fill('Garden Party')
  await page.getByRole('button', { name: 'Save the name' }).click()
  await page.getByRole('heading', { name: 'Garden Party', level: 1 }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Rename')
  await page.reload()
  await page.getByRole('heading', { name: 'Garden Party', level: 1 }).waitFor()
})

test('a guest who browses deletes nothing', async ({ page, visitor, album }) => {
  await enterAsGuest(visitor, album)
  await open(page, album)
  await page.getByRole('button', { name: 'Select' }).click()
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Rename' }).count()).toBe(0)
})
