import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { expectNoAxeFault } from './axe.ts'
import { resultsTest } from './results-page.ts'
import { replaceShareSheet } from './take-home.ts'
import { answerThumbnails } from './thumbnails.ts'
import { moveFinger, tapTwice } from './touch.ts'
import { sees } from './visitor.ts'

const test = resultsTest()

const PREVIEWS = '**/photos/*/preview?*'

const tile = (page: Page, filename: string) =>
  page.getByRole('link', { name: `Open ${filename}`, exact: true })
const viewer = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => viewer(page).getByRole('button', { name })
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

/** All sizes of all photos load: the thumbnail 640 pixels wide, the preview 1000, and the full size 3000.
 *  @returns the sizes that the page has asked for so far */
async function withPictures(page: Page): Promise<string[]> {
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
  return asked
}

/** Stops the clock of a page while something happens in it, however long that takes on a busy machine. */
async function withClockStopped(page: Page, work: () => Promise<void>): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
  await work()
  await page.clock.resume()
}

test('the viewer is used by keyboard: arrow keys, Home and End, Tab inside it, Escape; and Back closes it', async ({
  page,
  results,
}) => {
  await withPictures(page)
  const id = await results.matched(40)
  await page.goto('/albums')
  await page.goto(`/selfie/results/${id}`)
  await tile(page, 'IMG_4210.jpg').press('Enter')
  await shows(page, 'Photo 1 of 40, IMG_4210.jpg')
  expect(await viewer(page).getAttribute('aria-labelledby')).toBeTruthy()
  expect(await focused(page)).toBe('Close')
  await page.keyboard.press('ArrowRight')
  await shows(page, 'Photo 2 of 40, IMG_4211.jpg')
  await expectNoAxeFault(page)
  await page.keyboard.press('End')
  await shows(page, /^Photo 40 of 40/)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await shows(page, 'Photo 1 of 40, IMG_4210.jpg')

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

  await tile(page, '20.jpg').scrollIntoViewIfNeeded()
  await tile(page, '20.jpg').click()
  await shows(page, /^Photo \d+ of 40, 20.jpg/)
  const place = await page.evaluate(() => window.scrollY)
  await page.goBack()
  await isClosed(page)
  expect(await focused(page)).toBe('Open 20.jpg')
  expect(await page.evaluate(() => window.scrollY)).toBe(place)
  await page.goBack()
  await page.waitForURL('**/albums')
})

test('the viewer is used by touch: swipe, double tap, and dragging the photo away', async ({
  visit,
  results,
}) => {
  const { page } = await visit({ device: 'phone' })
  await page.clock.install()
  const asked = await withPictures(page)
  await page.goto(`/selfie/results/${await results.matched(5)}`)
  await tile(page, 'IMG_4210.jpg').tap()
  await shows(page, 'Photo 1 of 5, IMG_4210.jpg')
  await picture(page).waitFor()
  // The next photo has been loaded, and nothing at full size.
  await expect.poll(() => asked.filter((size) => size === 'preview').length).toBe(2)
  await moveFinger(page, [300, 400], [40, 400])
  await shows(page, 'Photo 2 of 5, IMG_4211.jpg')
  await moveFinger(page, [40, 400], [300, 400])
  await shows(page, 'Photo 1 of 5, IMG_4210.jpg')

  const doubleTap = () => withClockStopped(page, () => tapTwice(page, [195, 420]))
  await expect.poll(() => widthOf(page)).toBe(390)
  expect(asked).not.toContain('full')
  await doubleTap()
  await expect.poll(() => widthOf(page)).toBeCloseTo(390 * 2.5, -1)
  // The preview has fewer pixels than the screen shows.
  await expect.poll(() => asked.filter((size) => size === 'full').length).toBe(1)
  await expect
    .poll(() => picture(page).evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(3000)
  await doubleTap()
  await expect.poll(() => widthOf(page)).toBe(390)
  await page.touchscreen.tap(195, 420)
  await button(page, 'Close').waitFor({ state: 'hidden' })
  await page.touchscreen.tap(195, 420)
  await button(page, 'Close').waitFor()
  await moveFinger(page, [195, 300], [195, 700])
  await isClosed(page)
})

test('a photo that did not load comes when it can; it is shared as a file, downloaded, opened at full size, and ends with the password', async ({
  page,
  site,
  visitor,
  results,
}) => {
  await replaceShareSheet(visitor, ['is too late', 'hangs'])
  await answerThumbnails(page)
  await page.route(PREVIEWS, (route) => route.abort())
  await results.openMatched(2)
  await tile(page, 'IMG_4210.jpg').click()
  const failure = viewer(page).getByRole('alert').getByText('This photo could not be loaded.')
  await failure.waitFor()
  await page.unroute(PREVIEWS)
  await failure.waitFor({ state: 'detached' })
  await picture(page).waitFor()

  const share = button(page, 'Share')
  await page.route('**/full?*', (route) => route.fulfill({ status: 502 }))
  await share.click()
  // The network is not at fault.
  await viewer(page).getByText('The photo could not be shared. Please try again.').waitFor()
  await page.unroute('**/full?*')
  await share.click()
  await viewer(page).getByText('Ready. Tap Share again.').waitFor()
  await share.click()
  const shared = () =>
    page.evaluate(() => {
      const { shared, lastShared } = window as unknown as { shared: string[][]; lastShared: File[] }
      const files = lastShared.map(({ name, type, size }) => ({ name, type, isWhole: size > 9e4 }))
      return { sheets: shared.length, files }
    })
  const files = [{ name: 'IMG_4210.jpg', type: 'image/jpeg', isWhole: true }]
  await expect.poll(shared).toEqual({ sheets: 2, files })
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
  await page.keyboard.press('Escape')
  await isClosed(page)

  await site.database.db
    .updateTable('albums')
    .set((row) => ({ password_version: row('password_version', '+', 1) }))
    .execute()
  await page
    .getByRole('link', { name: /^Download / })
    .first()
    .click()
  await sees(page, 'These results have expired')
  await page.getByText(/^For your privacy, links to photos end after an hour, and when/).waitFor()
  await page.getByRole('link', { name: 'Start New Search' }).waitFor()
})
