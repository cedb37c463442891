import type { Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { resultsTest } from './results-page.ts'
import { answerZips } from './take-home.ts'
import { holdBack, sees } from './visitor.ts'

const COUNT = 450
const LIST = '**/trpc/submissions.photos*'

const test = resultsTest()

const tiles = (page: Page) => page.locator('main li')
/** The place of the photo that has the focus. */
const focusedPlace = (page: Page) =>
  page.evaluate(() => Number(document.activeElement?.closest('li')?.ariaPosInSet))
const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)
const scrollTo = (page: Page, top: number) =>
  page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top)
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

const THUMBS = '**/photos/*/thumb?*'

async function thumbnail() {
  const picture = { width: 64, height: 48, channels: 3, background: '#a86' } as const
  return { body: await sharp({ create: picture }).webp().toBuffer(), contentType: 'image/webp' }
}

/** All thumbnails load. */
async function withThumbnails(page: Page): Promise<void> {
  const answer = await thumbnail()
  await page.route(THUMBS, (route) => route.fulfill(answer))
}

/** Waits until all photos have come. */
async function complete(page: Page): Promise<void> {
  await expect.poll(() => tiles(page).first().getAttribute('aria-setsize')).toBe(String(COUNT))
  await page.getByText('(Loading photos...)').waitFor({ state: 'detached' })
}

test.for(['phone', 'desktop'] as const)(
  'a %s has only the photos near the window in its document, wherever it is scrolled to',
  async (device, { visit, results }) => {
    const { page } = await visit({ device })
    await withThumbnails(page)
    await page.goto(`/selfie/results/${await results.matched(COUNT)}`)
    await complete(page)
    const height = await heightOf(page)
    for (const part of [0, 0.5, 0.25, 1]) {
      await scrollTo(page, part * height)
      await expect
        .poll(async () => {
          const places = await placesInWindow(page)
          return places.length > 0 && places.every((place, index) => place === places[0]! + index)
        })
        .toBe(true)
      expect(await tiles(page).count()).toBeLessThan(70)
      expect(await heightOf(page)).toBe(height)
    }
    expect((await placesInWindow(page)).at(-1)).toBe(COUNT)
    await page.getByRole('link', { name: 'Open 448.jpg' }).waitFor()
  },
)

test('four thumbnails load at a time, those in the window first, and what is scrolled away stops loading', async ({
  page,
  results,
}) => {
  const asked: string[] = []
  const ended: string[] = []
  const photoOf = (url: string) => /photos\/([^/]+)/.exec(url)![1]!
  page.on('requestfailed', (request) => void ended.push(photoOf(request.url())))
  await page.route(THUMBS, (route) => void asked.push(photoOf(route.request().url())))
  const photosInWindow = async () => {
    const places = await placesInWindow(page)
    const links = await tiles(page).evaluateAll((all) =>
      all.map((tile) => [Number(tile.ariaPosInSet), tile.querySelector('a')!.href] as const),
    )
    return links.filter(([place]) => places.includes(place)).map(([, href]) => photoOf(href))
  }
  await results.openMatched(COUNT)
  await complete(page)
  await expect.poll(() => asked.length).toBe(4)
  expect(asked).toEqual((await photosInWindow()).slice(0, 4))

  await scrollTo(page, 9_000)
  await expect.poll(() => asked.length).toBe(8)
  expect(await photosInWindow()).toEqual(expect.arrayContaining(asked.slice(4)))
  // The first one began before there were tiles.
  expect(ended.sort()).toEqual(asked.slice(1, 4).sort())
})

test('on a phone the first photo loads before the others, the rest of the list, and the viewer', async ({
  visit,
  results,
}) => {
  const { page } = await visit({ device: 'phone' })
  const thumbs: Route[] = []
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  const others = () =>
    asked.filter((path) => path.endsWith('/submissions.photos') || path.includes('viewer')).length
  await page.route(THUMBS, (route) => void thumbs.push(route))
  await page.goto(`/selfie/results/${await results.matched(COUNT)}`)
  await expect.poll(() => tiles(page).count()).toBeGreaterThan(4)
  await expect.poll(() => thumbs.length).toBe(1)
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
  expect(thumbs.length).toBe(1)
  // The first page of the list.
  expect(others()).toBe(1)

  await thumbs[0]!.fulfill(await thumbnail())
  await expect.poll(() => thumbs.length).toBe(5)
  await complete(page)
  expect(others()).toBeGreaterThan(2)
})

test('of several calls for zips, only the one whose part is pressed is made again', async ({
  page,
  results,
}) => {
  await withThumbnails(page)
  const asked = await answerZips(page, 2)
  await results.openMatched(510)
  await page.getByRole('button', { name: 'Download all 510' }).click()
  await sees(page, 'Your photos are in 4 files')
  await page.getByRole('link', { name: /^Download 3 of 4 \(/ }).click()
  await expect.poll(() => asked.map(({ photos }) => photos.length)).toEqual([500, 10, 10])
  await sees(page, 'Your photos are in 4 files')
})

test('a thumbnail that fails is tried again after a while, and as soon as the browser is online again', async ({
  page,
  clock,
  results,
}) => {
  let refused = 0
  await page.route(THUMBS, (route) => {
    // The page also asks whether the address is refused.
    if (route.request().method() === 'GET') refused++
    return route.abort()
  })
  await results.openMatched(2)
  const again = page.getByRole('button', { name: /^Try again to load/ })
  await expect.poll(() => again.count()).toBe(2)
  await clock.pass(2_000)
  await expect.poll(() => refused).toBe(4)
  await page.unroute(THUMBS)
  await withThumbnails(page)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect.poll(() => again.count()).toBe(0)
})

test('the Tab key goes through all photos in order, forwards and backwards', async ({ page, results }) => {
  await withThumbnails(page)
  await results.openMatched(COUNT)
  await complete(page)
  await tiles(page).first().getByRole('link').first().focus()
  const places = [await focusedPlace(page)]
  const press = async (key: string) => {
    await page.keyboard.press(key)
    places.push(await focusedPlace(page))
  }
  // Each photo has two links.
  for (let pressed = 0; pressed < 119; pressed++) await press('Tab')
  const expected = Array.from({ length: 120 }, (_, index) => Math.floor(index / 2) + 1)
  expect(places).toEqual(expected)

  // After scrolling far away, the next photo is still the next.
  await scrollTo(page, await heightOf(page))
  await expect.poll(() => placesInWindow(page)).toContain(COUNT)
  await press('Tab')
  expect(places.at(-1)).toBe(61)
  await scrollTo(page, await heightOf(page))
  await expect.poll(() => placesInWindow(page)).toContain(COUNT)
  await press('Shift+Tab')
  await press('Shift+Tab')
  expect(places.at(-1)).toBe(60)
})

test('the first page of the photos is shown while the others load, and the results stay until all have come', async ({
  page,
  clock,
  results,
}) => {
  const { callsOf, calls, matched } = results
  const id = await matched(COUNT)
  let sent = 0
  const last = Promise.withResolvers<void>()
  await page.route(LIST, async (route) => {
    if (++sent === 3) await last.promise
    await route.continue()
  })
  await page.goto(`/selfie/results/${id}`)
  await sees(page, 'We found 450 photos of you.')
  await expect.poll(() => tiles(page).first().getAttribute('aria-setsize')).toBe('400')
  await sees(page, '(Loading photos...)')
  await clock.pass(40_000)
  expect(await callsOf('delete')).toEqual([])
  last.resolve()
  await complete(page)
  await clock.pass(31_000)
  await expect.poll(calls).toEqual(['results', 'photos', 'photos', 'photos', 'delete'])
})

test('a page that does not load leaves the photos before it, and a button that loads the rest', async ({
  page,
  results,
}) => {
  const { matched, failing } = results
  const id = await matched(COUNT)
  const { held, letGo } = await holdBack(page, `${LIST}cursor*`)
  await page.goto(`/selfie/results/${id}`)
  await held
  const restore = await failing('photos', 503)
  letGo()
  await expect.poll(() => tiles(page).first().getAttribute('aria-setsize')).toBe('400')
  await sees(page, 'The photos could not be loaded')
  await restore()
  await page.getByRole('button', { name: 'Load the photos' }).click()
  await complete(page)
  expect(await page.getByText('The photos could not be loaded').count()).toBe(0)
})

test('a visitor who comes back sees the photos that they saw before', async ({ page, results }) => {
  await withThumbnails(page)
  await results.failing('delete', 503)
  await results.openMatched(COUNT)
  await complete(page)
  await scrollTo(page, 9_000)
  await expect.poll(() => placesInWindow(page)).toContain(170)
  const places = await placesInWindow(page)
  // A click of Playwright's would scroll to the link.
  const away = page.getByRole('link', { name: 'Albums' }).first()
  await away.evaluate((link: HTMLElement) => link.click())
  await sees(page, 'Browse Photo Albums')
  await page.goBack()
  await expect.poll(() => placesInWindow(page)).toEqual(places)
})
