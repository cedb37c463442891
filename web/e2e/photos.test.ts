import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { readSample } from '../../src/testing/client.ts'
import { enterAsGuest, enterAsOwner, fillWithRows, searchWith } from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import { installClock } from './page-clock.ts'
import { resultsTest } from './results-page.ts'
import type { OwnedAlbum } from './site.ts'
import { answerZips } from './take-home.ts'
import { answerThumbnails, THUMBS } from './thumbnails.ts'
import { button, sees } from './visitor.ts'

const COUNT = 450
const LIST = '**/trpc/submissions.photos*'
const BROWSE = '**/trpc/albums.browse*'

const test = resultsTest()
  /** 450 photos without faces. Guests may browse them. */
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Lake Party')
    await fillWithRows(site, album, COUNT)
    await letBrowse(album)
    return album
  })
test.beforeAll(({ album }) => void album)

const letBrowse = ({ owner, ownerKey }: OwnedAlbum) =>
  owner.post(`/api/albums/${ownerKey}/settings`, { browsing: 'on' })

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const tiles = (page: Page) => page.locator('main li')
const has = (page: Page, count: number) =>
  expect.poll(() => tiles(page).first().getAttribute('aria-setsize')).toBe(String(count))
/** Waits until all photos of a submission have come. */
async function complete(page: Page): Promise<void> {
  await has(page, COUNT)
  await page.getByText('(Loading photos...)').waitFor({ state: 'detached' })
}

/** The place of the photo that has the focus. */
const focusedPlace = (page: Page) =>
  page.evaluate(() => Number(document.activeElement?.closest('li')?.ariaPosInSet))
const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)
const scrollTo = (page: Page, top: number) =>
  page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top)
const toTheEnd = async (page: Page) => scrollTo(page, await heightOf(page))
/** The places of the photos that a visitor sees at least a part of. */
const placesInWindow = (page: Page) =>
  tiles(page).evaluateAll((all) =>
    all
      .filter((tile) => {
        const { top, bottom } = tile.getBoundingClientRect()
        return bottom > 0 && top < window.innerHeight
      })
      .map((tile) => Number(tile.ariaPosInSet)),
  )

/** The id of the photo with this link. */
const photoIn = async (page: Page, link: string) =>
  /photos\/([^/]+)/.exec(
    (await page.getByRole('link', { name: link, exact: true }).getAttribute('href'))!,
  )![1]!

test('a phone has only the photos near the window in its document', async ({ visit, results }) => {
  const { page } = await visit({ device: 'phone' })
  await answerThumbnails(page)
  await page.goto(`/selfie/results/${await results.matched(COUNT)}`)
  await complete(page)
  await expectNoAxeFault(page)
  const height = await heightOf(page)
  for (const part of [0, 0.5, 0.25, 1]) {
    await scrollTo(page, part * height)
    await expect
      .poll(async () => {
        const places = await placesInWindow(page)
        return places.length > 0 && places.every((place, index) => place === places[0]! + index)
      })
      .toBe(true)
    expect.soft(await tiles(page).count()).toBeLessThan(70)
    expect.soft(await heightOf(page)).toBe(height)
  }
  expect((await placesInWindow(page)).at(-1)).toBe(COUNT)
  await page.getByRole('link', { name: 'Open 448.jpg' }).waitFor()
})

test('only thumbnails near the window load, what is scrolled away stops loading, and one that failed is tried again', async ({
  page,
  results,
}) => {
  const photoOf = (url: string) => /photos\/([^/]+)/.exec(url)![1]!
  const held: Route[] = []
  const ended = new Set<string>()
  page.on('requestfailed', (request) => void ended.add(photoOf(request.url())))
  const hold = (route: Route) => {
    if (route.request().method() === 'GET') held.push(route)
    else void route.fallback()
  }
  await page.route(THUMBS, hold)
  await results.openMatched(COUNT)
  await complete(page)
  const seen = await Promise.all(['Open 2.jpg', 'Open 3.jpg'].map((name) => photoIn(page, name)))
  const asked = () => held.map((route) => photoOf(route.request().url()))
  await expect.poll(asked).toEqual(expect.arrayContaining(seen))
  expect(held.length).toBeLessThan(60)
  await scrollTo(page, 9_000)
  await expect.poll(() => [...ended]).toEqual(expect.arrayContaining(seen))

  await page.unroute(THUMBS, hold)
  await page.route(THUMBS, (route) => route.abort())
  await scrollTo(page, 0)
  const failed = tiles(page).getByText('Not loaded')
  await failed.first().waitFor()
  await expectNoAxeFault(page)
  await page.unroute(THUMBS)
  await answerThumbnails(page)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect.poll(() => failed.count()).toBe(0)
})

test('the first photos are shown while the others load, and the results stay until all have come; the Tab key goes through them in order', async ({
  page,
  clock,
  results,
}) => {
  const { callsOf, matched } = results
  const id = await matched(COUNT)
  await answerThumbnails(page)
  let sent = 0
  const last = Promise.withResolvers<void>()
  await page.route(LIST, async (route) => {
    if (++sent < 3) return route.continue()
    await last.promise
    return route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>No</h1>' })
  })
  await page.goto(`/selfie/results/${id}`)
  await sees(page, 'We found 450 photos of you.')
  await has(page, 400)
  await sees(page, '(Loading photos...)')
  await clock.pass(40_000)
  expect(await callsOf('delete')).toEqual([])
  last.resolve()
  await sees(page, 'The photos could not be loaded')
  await has(page, 400)
  await page.unroute(LIST)
  await button(page, 'Try again').click()
  await complete(page)
  expect(await page.getByText('The photos could not be loaded').count()).toBe(0)
  await clock.pass(31_000)
  await expect.poll(async () => (await callsOf('delete')).length).toBe(1)

  await tiles(page).first().getByRole('link').first().focus()
  const places = [await focusedPlace(page)]
  const press = async (key: string) => {
    await page.keyboard.press(key)
    places.push(await focusedPlace(page))
  }
  // Each photo has two links.
  for (let pressed = 0; pressed < 119; pressed++) await press('Tab')
  expect(places).toEqual(Array.from({ length: 120 }, (_, index) => Math.floor(index / 2) + 1))
  // After scrolling far away, the next photo is still the next.
  for (const [keys, place] of [
    [['Tab'], 61],
    [['Shift+Tab', 'Shift+Tab'], 60],
  ] as const) {
    await toTheEnd(page)
    await expect.poll(() => placesInWindow(page)).toContain(COUNT)
    for (const key of keys) await press(key)
    expect(places.at(-1)).toBe(place)
  }
})

test('of several calls for zips, only the one whose part is pressed is made again', async ({
  page,
  results,
}) => {
  await answerThumbnails(page)
  const asked = await answerZips(page, 2)
  await results.openMatched(510)
  await button(page, 'Download all 510').click()
  await sees(page, 'Your photos are in 4 files')
  await page.getByRole('link', { name: /^Download 3 of 4 \(/ }).click()
  await expect.poll(() => asked.map(({ photos }) => photos.length)).toEqual([500, 10, 10])
  await sees(page, 'Your photos are in 4 files')
})

test('a guest browses all photos instead of a search, has an address for it, and finds the search as it was', async ({
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
  await answerThumbnails(page)
  await enterAsGuest(visitor, album)
  await page.getByRole('link', { name: 'Browse all photos' }).waitFor()
  await expectNoAxeFault(page)
  await searchWith(page, { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await readSample(1) })
  await sees(page, 'No Photos Found')
  await page.getByRole('link', { name: 'Browse all photos' }).click()
  await heading(page, 'All 450 photos').waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
  expect(new URL(page.url()).search).toBe('?photos=all')
  await page.getByRole('link', { name: 'Download 1.jpg' }).waitFor()
  await expectNoAxeFault(page)
  await page.goBack()
  await heading(page, 'No Photos Found').waitFor()
  expect(await heading(page, 'All 450 photos').count()).toBe(0)
  await page.goForward()
  await page.reload()
  await heading(page, 'All 450 photos').waitFor()

  // All photos are loaded for the download.
  await has(page, 200)
  await button(page, 'Download all 450').click()
  await expect.poll(() => asked).toEqual([COUNT])
  await button(page, 'Select').click()
  await tiles(page)
    .first()
    .getByRole('link', { name: /^Open / })
    .click()
  await button(page, 'Download').click()
  await expect.poll(() => asked).toEqual([COUNT, 1])
  expect(await button(page, 'Delete').count()).toBe(0)
  await page.reload()
  await page.getByRole('link', { name: 'Search with a selfie' }).click()
  await heading(page, 'No Photos Found').waitFor()
})

test('further pages of an album come when the visitor scrolls to the end, and after a failure when they ask; their addresses are renewed', async ({
  visit,
  site,
  album,
}) => {
  const visitor = await visit({ device: 'phone' })
  const { page } = visitor
  const clock = await installClock(page)
  const browse = ({ albumName }: OwnedAlbum) => page.goto(`/album/${albumName}?photos=all`)
  await answerThumbnails(page)
  await visitor.signInAs(album.owner)
  await browse(album)
  await has(page, 200)
  await toTheEnd(page)
  await has(page, 400)
  await page.route(BROWSE, (route) => route.fulfill({ status: 503, body: 'No' }))
  await toTheEnd(page)
  await sees(page, 'The photos could not be loaded')
  await expectNoAxeFault(page)
  await page.unroute(BROWSE)
  await button(page, 'Try again').click()
  await has(page, COUNT)
  await page.getByRole('status').getByText('Showing 450 of 450 photos').waitFor()
  expect(await button(page, 'Show more').count()).toBe(0)
  await toTheEnd(page)
  await page.getByRole('link', { name: /^Open 450\.jpg/ }).waitFor()
  // The addresses of all three pages are renewed before they expire.
  let renewed = 0
  page.on('requestfinished', (request) => void (request.url().includes('albums.browse') && renewed++))
  await clock.pass(56 * 60_000)
  await expect.poll(() => renewed).toBe(3)
  // They also show that the session has ended, or that the album is gone.
  await page.request.post('/api/log-out', { data: {} })
  await clock.pass(56 * 60_000)
  await heading(page, 'Access Album').waitFor()

  // A zip may have 500 photos: of more, a guest downloads chosen ones.
  const large = await site.createAlbum('Large Party')
  await fillWithRows(site, large, 501)
  await visitor.signInAs(large.owner)
  await browse(large)
  await heading(page, 'All 501 photos').waitFor()
  await button(page, 'Select').click()
  await button(page, 'None').waitFor()
  expect(await button(page, 'All').count()).toBe(0)
  await button(page, 'Done').click()
  expect(await button(page, /Download all/).count()).toBe(0)
  await large.owner.delete(`/api/albums/${large.ownerKey}`)
  await clock.pass(56 * 60_000)
  await heading(page, 'Album Not Found').waitFor()

  const closed = await site.createAlbum('Closed Party')
  await enterAsOwner(visitor, closed)
  await browse(closed)
  await sees(page, 'No photos yet')
  await fillWithRows(site, closed, 1)
  const guest = await visit()
  await enterAsGuest(guest, closed)
  expect(await guest.page.getByRole('link', { name: 'Browse all photos' }).count()).toBe(0)
  await guest.page.goto(`/album/${closed.albumName}?photos=all`)
  await sees(guest.page, 'Not open to guests')
  await expectNoAxeFault(guest.page)
  await letBrowse(closed)
  await guest.page.reload()
  await heading(guest.page, '1 photo').waitFor()
})
