import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { resultsTest } from './results-page.ts'
import { moveFingers, tapTwice } from './touch.ts'
import type { Visitor } from './visitor.ts'

const test = resultsTest()

const tile = (page: Page, filename: string) =>
  page.getByRole('link', { name: `Open ${filename}`, exact: true })
const viewer = (page: Page) => page.getByRole('dialog')
/** Waits until the viewer shows this photo. */
const shows = (page: Page, text: string | RegExp) =>
  viewer(page).getByRole('heading', { name: text }).waitFor()
const isClosed = (page: Page) => viewer(page).waitFor({ state: 'detached' })
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  )
/** The photo that is shown. */
const picture = (page: Page) => viewer(page).locator('[aria-hidden=false] img.pswp__img:not([aria-hidden])')
const widthOf = async (page: Page) => (await picture(page).boundingBox())!.width

/** All sizes of all photos load: the thumbnail 640 pixels wide, the preview 1000, and the full size 3000. */
async function withPictures({ page }: Visitor): Promise<{ asked: string[] }> {
  const asked: string[] = []
  for (const [size, width] of [
    ['thumb', 640],
    ['preview', 1000],
    ['full', 3000],
  ] as const) {
    const create = { width, height: (width * 3) / 4, channels: 3, background: '#a86' } as const
    const body = await sharp({ create }).jpeg().toBuffer()
    await page.route(`**/photos/*/${size}?*`, (route) => {
      asked.push(size)
      return route.fulfill({ body, contentType: 'image/jpeg' })
    })
  }
  return { asked }
}

test('the viewer is used by keyboard: arrow keys, Home and End, Tab inside it, and Escape', async ({
  page,
  visitor,
  results,
}) => {
  await withPictures(visitor)
  await results.openMatched(5)
  await tile(page, 'IMG_4210.jpg').press('Enter')
  await shows(page, 'Photo 1 of 5, IMG_4210.jpg')
  expect(await viewer(page).getAttribute('aria-labelledby')).toBeTruthy()
  expect(await focused(page)).toBe('Close')
  await page.keyboard.press('ArrowRight')
  await shows(page, 'Photo 2 of 5, IMG_4211.jpg')
  await page.keyboard.press('End')
  await shows(page, /^Photo 5 of 5/)
  await page.keyboard.press('ArrowRight')
  await shows(page, /^Photo 5 of 5/)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await shows(page, 'Photo 1 of 5, IMG_4210.jpg')

  const visited = new Set<string>()
  for (let pressed = 0; pressed < 8; pressed++) {
    await page.keyboard.press('Tab')
    visited.add((await focused(page)) ?? '')
  }
  expect([...visited]).toEqual(
    expect.arrayContaining(['Close', 'Previous photo', 'Download', 'Open full size', 'Next photo']),
  )
  expect([...visited].filter((name) => name.startsWith('Open IMG'))).toEqual([])

  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await isClosed(page)
  // The visitor goes on at the photo that they saw last.
  expect(await focused(page)).toBe('Open IMG_4211.jpg')
})

test('Back closes the viewer, and the page stays where it is', async ({ page, visitor, results }) => {
  await withPictures(visitor)
  const id = await results.matched(40)
  await page.goto('/albums')
  await page.goto(`/selfie/results/${id}`)
  await tile(page, '20.jpg').scrollIntoViewIfNeeded()
  await tile(page, '20.jpg').click()
  await shows(page, /^Photo \d+ of 40, 20.jpg/)
  const place = await page.evaluate(() => window.scrollY)
  await page.goBack()
  await isClosed(page)
  expect(await focused(page)).toBe('Open 20.jpg')
  expect(await page.evaluate(() => window.scrollY)).toBe(place)
  await page.goForward()
  await shows(page, /^Photo \d+ of 40, 20.jpg/)
  // The grid follows the viewer.
  await page.keyboard.press('Home')
  await shows(page, 'Photo 1 of 40, IMG_4210.jpg')
  await page.keyboard.press('Escape')
  await isClosed(page)
  expect(await focused(page)).toBe('Open IMG_4210.jpg')
  expect(await tile(page, 'IMG_4210.jpg').isVisible()).toBe(true)
  await page.goBack()
  await page.waitForURL('**/albums')
})

test('the viewer is used by touch: swipe, double tap, two fingers, and dragging the photo away', async ({
  visit,
  results,
}) => {
  const visitor = await visit({ device: 'phone' })
  const { page } = visitor
  const { asked } = await withPictures(visitor)
  await page.goto(`/selfie/results/${await results.matched(5)}`)
  await tile(page, 'IMG_4210.jpg').tap()
  await shows(page, 'Photo 1 of 5, IMG_4210.jpg')
  await picture(page).waitFor()
  // The next photo has been loaded, and nothing at full size.
  await expect.poll(() => asked.filter((size) => size === 'preview').length).toBe(2)
  await moveFingers(page, { from: [300, 400], to: [40, 400] })
  await shows(page, 'Photo 2 of 5, IMG_4211.jpg')
  await moveFingers(page, { from: [40, 400], to: [300, 400] })
  await shows(page, 'Photo 1 of 5, IMG_4210.jpg')

  await expect.poll(() => widthOf(page)).toBe(390)
  expect(asked).not.toContain('full')
  await tapTwice(page, [195, 420])
  await expect.poll(() => widthOf(page)).toBeCloseTo(390 * 2.5, -1)
  // The preview has fewer pixels than the screen shows.
  await expect.poll(() => asked.filter((size) => size === 'full').length).toBe(1)
  await expect
    .poll(() => picture(page).evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(3000)
  await tapTwice(page, [195, 420])
  await expect.poll(() => widthOf(page)).toBe(390)
  await moveFingers(page, { from: [180, 420], to: [60, 420] }, { from: [210, 420], to: [330, 420] })
  await expect.poll(() => widthOf(page)).toBeGreaterThan(800)
  await moveFingers(page, { from: [30, 420], to: [180, 420] }, { from: [360, 420], to: [210, 420] })
  await expect.poll(() => widthOf(page)).toBe(390)

  await page.touchscreen.tap(195, 420)
  await viewer(page).getByRole('button', { name: 'Close' }).waitFor({ state: 'hidden' })
  await page.touchscreen.tap(195, 420)
  await viewer(page).getByRole('button', { name: 'Close' }).waitFor()
  await moveFingers(page, { from: [195, 300], to: [195, 700] })
  await isClosed(page)
})

test('a photo that does not load says so, and comes when the visitor tries again or is online again', async ({
  page,
  clock,
  visitor,
  results,
}) => {
  await withPictures(visitor)
  const previews = '**/photos/*/preview?*'
  const refused = new Map<string, number>()
  await page.route(previews, (route) => {
    const url = route.request().url()
    refused.set(url, (refused.get(url) ?? 0) + 1)
    return route.abort()
  })
  await results.openMatched(3)
  await tile(page, 'IMG_4210.jpg').click()
  const again = viewer(page).getByRole('button', { name: 'Try again' })
  await again.waitFor()
  // It is tried again five times by itself, within about a minute. Its neighbours are loaded once.
  const triesAfterPause = async () => {
    await clock.pass(40_000)
    return Math.max(...refused.values())
  }
  await expect.poll(triesAfterPause).toBe(6)
  await again.waitFor()
  expect(await triesAfterPause()).toBe(6)
  await page.unroute(previews)
  await withPictures(visitor)
  await again.click()
  await again.waitFor({ state: 'detached' })
  await picture(page).waitFor()

  await page.route(previews, (route) => route.abort())
  await page.keyboard.press('End')
  await again.waitFor()
  await page.unroute(previews)
  await withPictures(visitor)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await again.waitFor({ state: 'detached' })
  await picture(page).waitFor()
})

test('a photo is downloaded, shared as a file, and opened at full size from the viewer', async ({
  page,
  visitor,
  results,
}) => {
  await page.addInitScript(() => {
    const shared: File[] = []
    let taps = 0
    Object.assign(window, { shared })
    navigator.canShare = () => true
    navigator.share = async ({ files }: ShareData) => {
      // As a browser does when the photo came long after the tap.
      if (taps++ === 0) throw new DOMException('Too late', 'NotAllowedError')
      shared.push(...files!)
      await new Promise(() => {})
    }
  })
  await results.openMatched(2)
  await tile(page, 'IMG_4210.jpg').click()
  const share = viewer(page).getByRole('button', { name: 'Share' })
  await share.click()
  await viewer(page).getByText('Ready. Tap Share again.').waitFor()
  await share.click()
  await expect
    .poll(() =>
      page.evaluate(() =>
        (window as unknown as { shared: File[] }).shared.map(({ name, type, size }) => [
          name,
          type,
          size > 9e4,
        ]),
      ),
    )
    .toEqual([['IMG_4210.jpg', 'image/jpeg', true]])
  // The promise of the sheet never resolves.
  expect(await share.isEnabled()).toBe(true)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    viewer(page).getByRole('link', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('IMG_4210.jpg')
  const [tab] = await Promise.all([
    visitor.context.waitForEvent('page'),
    viewer(page).getByRole('link', { name: 'Open full size' }).click(),
  ])
  await tab.waitForURL('**/full?*', { waitUntil: 'commit' })
  await tab.close()
})

test('a photo that is answered with an error is not shared, and the viewer does not blame the network', async ({
  page,
  results,
}) => {
  await page.addInitScript(() => Object.assign(navigator, { canShare: () => true, share: () => {} }))
  await results.openMatched(2)
  await page.route('**/full?*', (route) => route.fulfill({ status: 502 }))
  await tile(page, 'IMG_4210.jpg').click()
  await viewer(page).getByRole('button', { name: 'Share' }).click()
  await viewer(page).getByText('The photo could not be shared. Please try again.').waitFor()
  expect(await viewer(page).getByText('internet connection').count()).toBe(0)
})
