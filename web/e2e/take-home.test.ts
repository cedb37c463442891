import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { exifFields, onlyTakenAt } from '../../src/testing/exif-fields.ts'
import { addCopies, enterAsGuest, searchWith, selfieOfSample1 } from './album-visits.ts'
import { siteTest } from './site-test.ts'
import { answerPreviews, answerZips, replaceShareSheet } from './take-home.ts'
import { pressUntil } from './touch.ts'
import { holdBack, sees, type Visitor } from './visitor.ts'

const test = siteTest()
  /** Sample 1 and 22 copies of it. */
  .extend('crowd', { scope: 'file' }, async ({ site }) => {
    const crowd = await site.createAlbum('Garden Party')
    await site.fill(crowd, [1])
    await addCopies(site, crowd, 22)
    return crowd
  })
  .extend('small', { scope: 'file' }, async ({ site }) => {
    const small = await site.createAlbum('Small Party')
    await site.fill(small, [1])
    return small
  })
  .extend('selfie', { scope: 'file' }, ({ site, crowd }) => crowd && selfieOfSample1(site))
test.beforeAll(({ crowd, small, selfie }) => void [crowd, small, selfie])

type Found = {
  visitor: Visitor
  album: Parameters<typeof enterAsGuest>[1]
  selfie: Parameters<typeof searchWith>[1]
}

async function findPhotos({ visitor, album, selfie }: Found): Promise<Page> {
  const { page } = visitor
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await page.getByRole('heading', { name: /^Found / }).waitFor()
  return page
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const tick = (page: Page, place: number) => page.locator('main li').nth(place).getByRole('checkbox')

test('a guest downloads all found photos as one file, which starts by itself', async ({
  visitor,
  small,
  selfie,
}) => {
  const page = await findPhotos({ visitor, album: small, selfie })
  const { held, letGo } = await holdBack(page, '**/trpc/zips.create')
  const downloading = page.waitForEvent('download')
  await button(page, 'Download').click()
  await held
  await sees(page, 'Preparing 0 of 1 photo')
  letGo()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('small-party.zip')
  const zip = await readFile((await download.path())!)
  expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04')
  expect(zip.includes('sample1.jpg')).toBe(true)
  await sees(page, 'Your download has started')
  await button(page, 'Close').click()
  expect(await page.getByText('Your download has started').count()).toBe(0)
})

test('a guest chooses photos with the mouse, all or none of them, and downloads those', async ({
  visitor,
  crowd,
  selfie,
}) => {
  const page = await findPhotos({ visitor, album: crowd, selfie })
  const asked = await answerZips(page, 2)
  await page.locator('main li').first().hover()
  await tick(page, 0).check()
  await sees(page, '1 selected')
  // While choosing, a click on a photo chooses it.
  await page
    .locator('main li')
    .nth(2)
    .getByRole('link', { name: /^Open / })
    .click()
  await sees(page, '2 selected')
  await button(page, 'All').click()
  await sees(page, '23 selected')
  await button(page, 'None').click()
  await sees(page, '0 selected')
  expect(await button(page, 'Download').isDisabled()).toBe(true)
  await tick(page, 1).check()
  await tick(page, 3).check()
  await button(page, 'Download').click()
  await sees(page, 'Your photos are in 2 files')
  expect(asked.map(({ photos }) => photos.length)).toEqual([2])
  expect(await page.getByRole('link', { name: /^Download 2 of 2 \(/ }).getAttribute('href')).toContain(
    '/zips/',
  )
  // The page may have been open for an hour, so it asks for a fresh address.
  await page.getByRole('link', { name: /^Download 2 of 2 \(/ }).click()
  await expect.poll(() => asked.map(({ photos }) => photos.length)).toEqual([2, 2])
  await sees(page, 'Your photos are in 2 files')
  await button(page, 'Done').click()
  expect(await tick(page, 1).isChecked()).toBe(false)
})

test('a phone saves all photos in portions, with a tap for each', async ({ visit, crowd, selfie }) => {
  const visitor = await visit({ device: 'phone' })
  await replaceShareSheet(visitor, ['takes', 'closes', 'takes', 'hangs'])
  await answerPreviews(visitor.page)
  const page = await findPhotos({ visitor, album: crowd, selfie })
  await button(page, 'Save all to Photos').tap()
  await sees(page, '10 of 23 saved.')
  // The visitor closes the sheet.
  await button(page, 'Continue').tap()
  await button(page, 'Save 10 photos').tap()
  await sees(page, '20 of 23 saved.')
  // The promise of the last sheet never resolves.
  await button(page, 'Continue').tap()
  await button(page, 'They are saved').tap()
  await sees(page, '23 photos saved.')
  await sees(page, 'Copies of at most 2,000 pixels on the long side.')
  const shared = await page.evaluate(() => (window as unknown as { shared: string[][] }).shared)
  expect(shared.map((names) => names.length)).toEqual([10, 10, 10, 3])
  expect(new Set(shared.flat()).size).toBe(23)
})

test('a phone saves photos at full size when the guest asks for it, with the time at which they were taken', async ({
  visit,
  small,
  selfie,
}) => {
  const visitor = await visit({ device: 'phone' })
  await replaceShareSheet(visitor, ['takes'])
  const page = await findPhotos({ visitor, album: small, selfie })
  await page.getByText(/^Without the tick, smaller copies are saved: at most 2,000 pixels/).waitFor()
  const save = async () => {
    await button(page, 'Save all to Photos').tap()
    await sees(page, '1 photo saved.')
    const bytes = await page.evaluate(async () => {
      const files = (window as unknown as { lastShared: File[] }).lastShared
      return [...new Uint8Array(await files[0]!.arrayBuffer())]
    })
    return Buffer.from(bytes)
  }
  const smaller = await save()
  await button(page, 'Close').tap()
  await page.getByRole('checkbox', { name: 'Save at full size' }).check()
  const full = await save()
  await sees(page, 'At full size.')
  expect(full.length).toBeGreaterThan(smaller.length)
  for (const photo of [smaller, full])
    expect(await exifFields(photo)).toEqual(onlyTakenAt('2017:10:31 20:16:18'))
})

test('a phone whose next photos are answered with an error says so, and tries them again', async ({
  visit,
  small,
  selfie,
}) => {
  const visitor = await visit({ device: 'phone' })
  await replaceShareSheet(visitor, ['takes'])
  await visitor.page.route('**/photos/*/preview?*', (route) => route.fulfill({ status: 502 }))
  const page = await findPhotos({ visitor, album: small, selfie })
  await button(page, 'Save all to Photos').tap()
  // The network is not at fault.
  await sees(page, 'The next photos could not be loaded. Please try again.')
  await answerPreviews(page)
  await button(page, 'Try again').tap()
  await sees(page, '1 photo saved.')
})

test('a phone that refuses the photos offers the zip, in parts of 500 MB', async ({
  visit,
  crowd,
  selfie,
}) => {
  const visitor = await visit({ device: 'phone' })
  await replaceShareSheet(visitor, ['refuses'])
  await answerPreviews(visitor.page)
  const asked = await answerZips(visitor.page, 1)
  const page = await findPhotos({ visitor, album: crowd, selfie })
  await button(page, 'Save all to Photos').tap()
  await button(page, 'Download as a zip instead').tap()
  await sees(page, 'Your download has started')
  expect(asked).toEqual([{ photos: expect.anything(), partBytes: 500_000_000 }])
  expect(asked[0]!.photos).toHaveLength(23)
})

test('a long press begins to choose, on a phone whose browser shares no files', async ({
  visit,
  crowd,
  selfie,
}) => {
  const visitor = await visit({ device: 'phone' })
  const page = await findPhotos({ visitor, album: crowd, selfie })
  expect(await button(page, 'Save all to Photos').count()).toBe(0)
  const { x, y, width, height } = (await page.locator('main li').nth(1).boundingBox())!
  await pressUntil(page, [x + width / 2, y + height / 2], () => sees(page, '1 selected'))
  expect(await tick(page, 1).isChecked()).toBe(true)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await button(page, 'Save').count()).toBe(0)
  await page.locator('main li').nth(1).tap()
  await sees(page, '0 selected')
})

test('a download that cannot be prepared says why, and can be tried again', async ({
  visitor,
  crowd,
  selfie,
}) => {
  const page = await findPhotos({ visitor, album: crowd, selfie })
  await page.route('**/trpc/zips.create', (route) => route.abort())
  await button(page, 'Download all 23').click()
  await sees(page, 'The download could not be prepared')
  await page.unroute('**/trpc/zips.create')
  await answerZips(page, 3)
  await button(page, 'Try again').click()
  await sees(page, 'Your photos are in 3 files')
})

test('a part whose photos are no longer given says so when it is pressed', async ({
  visitor,
  crowd,
  selfie,
}) => {
  const page = await findPhotos({ visitor, album: crowd, selfie })
  await answerZips(page, 2)
  await button(page, 'Download all 23').click()
  await sees(page, 'Your photos are in 2 files')
  const message = 'The album password has changed. Open the album again.'
  const data = { code: 'FORBIDDEN', httpStatus: 403 }
  await page.route('**/trpc/zips.create', (route) =>
    route.fulfill({ status: 403, json: { error: { message, code: -32003, data } } }),
  )
  await page.getByRole('link', { name: /^Download 1 of 2 \(/ }).click()
  await sees(page, message)
})
