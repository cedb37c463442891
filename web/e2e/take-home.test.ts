import { readFile } from 'node:fs/promises'
import { correction, generate } from 'lean-qr'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { exifFields, onlyTakenAt } from '../../src/testing/exif-fields.ts'
import { albumTest } from './album-test.ts'
import { type ChosenFile, enterAsGuest, enterAsOwner, searchWith } from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import type { OwnedAlbum } from './site.ts'
import { answerZips, replaceShareSheet } from './take-home.ts'
import { answerPreviews } from './thumbnails.ts'
import { pressUntil } from './touch.ts'
import { button, holdBack, sees, seesToast, type Visitor } from './visitor.ts'

const PREVIEWS = '**/photos/*/preview?*'
const ZIPS = '**/trpc/zips.create'

const test = albumTest({ name: 'Mira & Jonas', copies: 22 }).extend(
  'address',
  { scope: 'file' },
  ({ site, album }) => `${site.url}/album/${album.albumName}`,
)

async function findPhotos(visitor: Visitor, album: OwnedAlbum, selfie: ChosenFile): Promise<Page> {
  await enterAsGuest(visitor, album)
  await searchWith(visitor.page, selfie)
  await visitor.page.getByRole('heading', { name: 'Found 23 Photos!' }).waitFor()
  return visitor.page
}

const tiles = (page: Page) => page.locator('main li')
const tick = (page: Page, place: number) => tiles(page).nth(place).getByRole('checkbox')

/** Chooses the one photo that has files. */
async function chooseSample(page: Page): Promise<void> {
  await button(page, 'Show more (5 left)').click()
  await button(page, 'Select').click()
  const sample = tiles(page).filter({ hasText: 'sample1.jpg' }).getByRole('checkbox')
  // Only the rows near the window are drawn, and the photos are in any order.
  await page.setViewportSize({ width: page.viewportSize()!.width, height: 8_000 })
  await sample.check()
  await sees(page, '1 selected')
}

test('a guest chooses photos with the mouse, and downloads them as one file or in parts', async ({
  visitor,
  album,
  selfie,
}) => {
  const page = await findPhotos(visitor, album, selfie)
  await tiles(page).first().hover()
  await tick(page, 0).check()
  await sees(page, '1 selected')
  // While choosing, a click on a photo chooses it.
  await tiles(page)
    .nth(2)
    .getByRole('link', { name: /^Open / })
    .click()
  await sees(page, '2 selected')
  await button(page, 'All').click()
  await sees(page, '23 selected')
  await expectNoAxeFault(page)
  await button(page, 'None').click()
  await sees(page, '0 selected')
  expect(await button(page, 'Download').isDisabled()).toBe(true)
  await button(page, 'Done').click()

  await chooseSample(page)
  const { held, letGo } = await holdBack(page, ZIPS)
  const downloading = page.waitForEvent('download')
  await button(page, 'Download').click()
  await held
  await sees(page, 'Preparing 0 of 1 photo')
  await expectNoAxeFault(page)
  letGo()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`${album.albumName}.zip`)
  const zip = await readFile((await download.path())!)
  expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04')
  expect(zip.includes('sample1.jpg')).toBe(true)
  await sees(page, 'Your download has started')
  await button(page, 'Close').click()
  expect(await page.getByText('Your download has started').count()).toBe(0)
  await button(page, 'Done').click()

  await page.unroute(ZIPS)
  await page.route(ZIPS, (route) => route.abort())
  await button(page, 'Download all 23').click()
  await sees(page, 'The download could not be prepared')
  await page.unroute(ZIPS)
  const asked = await answerZips(page, 2)
  await button(page, 'Try again').click()
  await sees(page, 'Your photos are in 2 files')
  await expectNoAxeFault(page)
  const second = page.getByRole('link', { name: /^Download 2 of 2 \(/ })
  expect(await second.getAttribute('href')).toContain('/zips/')
  // The page may have been open for an hour, so it asks for a fresh address.
  await second.click()
  await expect.poll(() => asked.map(({ photos }) => photos.length)).toEqual([23, 23])
  await sees(page, 'Your photos are in 2 files')
})

test('a phone saves all photos in portions, with a tap for each, and offers a zip where the sheet refuses them', async ({
  visit,
  album,
  selfie,
}) => {
  const visitor = await visit({ device: 'phone' })
  await replaceShareSheet(visitor, ['takes', 'closes', 'takes', 'hangs', 'refuses'])
  await visitor.page.route(PREVIEWS, (route) => route.fulfill({ status: 502 }))
  const page = await findPhotos(visitor, album, selfie)
  await button(page, 'Save all to Photos').tap()
  // The network is not at fault.
  await sees(page, 'The next photos could not be loaded. Please try again.')
  await answerPreviews(page)
  await button(page, 'Try again').tap()
  await sees(page, '10 of 23 saved.')
  // The visitor closes the sheet.
  await button(page, 'Continue').tap()
  await button(page, 'Save 10 photos').tap()
  await sees(page, '20 of 23 saved.')
  // The promise of the last sheet never resolves.
  await button(page, 'Continue').tap()
  await button(page, 'They are saved').tap()
  await sees(page, '23 photos saved.')
  const shared = await page.evaluate(() => (window as unknown as { shared: string[][] }).shared)
  expect(shared.map((names) => names.length)).toEqual([10, 10, 10, 3])
  expect(new Set(shared.flat()).size).toBe(23)
  await button(page, 'Close').tap()

  const asked = await answerZips(page, 1)
  await button(page, 'Save all to Photos').tap()
  await button(page, 'Download as a zip instead').waitFor()
  await expectNoAxeFault(page)
  await button(page, 'Download as a zip instead').tap()
  await sees(page, 'Your download has started')
  expect(asked).toEqual([{ photos: expect.anything(), partBytes: 500_000_000 }])
  expect(asked[0]!.photos).toHaveLength(23)
})

test('a phone saves chosen photos, at full size when the guest asks for it, with the time at which they were taken', async ({
  visit,
  album,
  selfie,
}) => {
  const visitor = await visit({ device: 'phone' })
  await replaceShareSheet(visitor, ['takes'])
  const page = await findPhotos(visitor, album, selfie)
  await chooseSample(page)
  const save = async () => {
    await button(page, 'Save').tap()
    await sees(page, '1 photo saved.')
    const bytes = await page.evaluate(async () => {
      const files = (window as unknown as { lastShared: File[] }).lastShared
      return [...new Uint8Array(await files[0]!.arrayBuffer())]
    })
    await button(page, 'Close').tap()
    return Buffer.from(bytes)
  }
  const smaller = await save()
  await page.getByRole('checkbox', { name: 'Save at full size' }).check()
  const full = await save()
  expect(full.length).toBeGreaterThan(smaller.length)
  for (const photo of [smaller, full])
    expect(await exifFields(photo)).toEqual(onlyTakenAt('2017:10:31 20:16:18'))
})

test('a long press begins to choose, on a phone whose browser shares no files', async ({
  visit,
  album,
  selfie,
}) => {
  const page = await findPhotos(await visit({ device: 'phone' }), album, selfie)
  expect(await button(page, 'Save all to Photos').count()).toBe(0)
  const { x, y, width, height } = (await tiles(page).nth(1).boundingBox())!
  await pressUntil(page, [x + width / 2, y + height / 2], () => sees(page, '1 selected'))
  expect(await tick(page, 1).isChecked()).toBe(true)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await button(page, 'Save').count()).toBe(0)
  await tiles(page).nth(1).tap()
  await sees(page, '0 selected')
})

/** Goes back to all photos of the album, and forward to those that were found. */
async function lookAtAll(page: Page): Promise<void> {
  await page.goBack()
  await page.getByRole('heading', { name: 'All 23 photos' }).waitFor()
  await page.goForward()
  await page.getByRole('heading', { name: 'Found 23 Photos!' }).waitFor()
}

test('a guest looks at all photos meanwhile: those that were loading come, a save begins anew, and a zip is still there', async ({
  visit,
  album,
  selfie,
}) => {
  await album.owner.post(`/api/albums/${album.ownerKey}/settings`, { browsing: 'on' })
  const visitor = await visit({ device: 'phone' })
  const { page } = visitor
  await replaceShareSheet(visitor, ['closes', 'takes'])
  await answerPreviews(page)
  await enterAsGuest(visitor, album)
  await page.getByRole('link', { name: 'Browse all photos' }).click()
  await page.getByRole('link', { name: 'Search with a selfie' }).click()
  const { held, letGo } = await holdBack(page, '**/photos/*/thumb?*')
  await searchWith(page, selfie)
  await held
  await button(page, 'Save all to Photos').tap()
  await button(page, 'Save 10 photos').waitFor()
  await lookAtAll(page)
  letGo()
  const first = tiles(page).first().locator('img')
  await expect.poll(() => first.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await button(page, 'Save all to Photos').tap()
  await sees(page, '10 of 23 saved.')

  await answerZips(page, 2)
  await button(page, 'Download all 23').tap()
  await sees(page, 'Your photos are in 2 files')
  await lookAtAll(page)
  await sees(page, 'Your photos are in 2 files')
})

test('the owner shares name, address and password, and copies the link and the password', async ({
  page,
  visitor,
  album,
  address,
}) => {
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await enterAsOwner(visitor, album)
  const text = `Find your photos from Mira & Jonas!\n${address}\nPassword: ${album.password}`
  const message = await page.getByRole('link', { name: 'WhatsApp', exact: true }).getAttribute('href')
  expect(new URL(message!).searchParams.get('text')).toBe(text)
  await sees(page, album.password)
  await expectNoAxeFault(page)
  for (const [name, value] of [
    ['link', address],
    ['password', album.password],
  ] as const) {
    await button(page, `Copy ${name}`).click()
    await seesToast(page, `Copied the ${name}`)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value)
  }

  // On plain http there is no clipboard, and the text is copied by selection.
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.addEventListener('copy', () => {
      Object.assign(window, { copied: String(window.getSelection()) })
    })
  })
  await button(page, 'Copy link').click()
  await expect.poll(() => page.evaluate(() => (window as { copied?: string }).copied)).toBe(address)
  await page.evaluate(() => {
    document.execCommand = () => false
  })
  await button(page, 'Copy password').click()
  await seesToast(page, 'Could not copy the password')
  expect(await page.evaluate(() => String(window.getSelection()))).toBe(album.password)
})

test('a guest shares the same without seeing the password, with the share sheet of a phone or a QR code that scanners can read', async ({
  visit,
  album,
  address,
}) => {
  const phone = await visit({ device: 'phone' })
  const { page } = phone
  await phone.context.addInitScript(() => {
    const shared: ShareData[] = []
    Object.assign(window, { shared })
    navigator.share = async (data) => {
      shared.push(data!)
      throw new DOMException('The visitor closed the sheet', 'AbortError')
    }
  })
  await enterAsGuest(phone, album)
  await page.getByRole('heading', { name: 'Share This Album' }).waitFor()
  const text = `Find your photos from Mira & Jonas!\n${address}\nPassword: ${album.password}`
  expect(await page.locator('body').innerText()).not.toContain(album.password)
  expect(await button(page, 'Copy password').count()).toBe(0)
  await button(page, 'More ways to share').tap()
  expect(await page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared)).toEqual([
    { title: 'Mira & Jonas', text },
  ])
  await expectNoAxeFault(page)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save the QR code as a picture' }).tap(),
  ])
  expect(saved.suggestedFilename()).toBe(`${album.albumName}-qr-code.png`)
  const modules = modulesFor(address)
  expect(await modulesOf(await readFile(await saved.path()), modules.length)).toEqual(modules)
})

/** The white edge that the standard asks for, in modules. */
const QUIET_ZONE = 4

/** The modules of the code for a text, row by row, with the white edge. `true` is black. */
function modulesFor(text: string): boolean[] {
  const code = generate(text, { minCorrectionLevel: correction.Q })
  const places = Array.from({ length: code.size + 2 * QUIET_ZONE }, (_, place) => place - QUIET_ZONE)
  return places.flatMap((y) => places.map((x) => code.get(x, y)))
}

/** The same, as a picture shows them. */
async function modulesOf(picture: Buffer, count: number): Promise<boolean[]> {
  const side = Math.sqrt(count)
  const { width, height } = await sharp(picture).metadata()
  expect([width, width % side]).toEqual([height, 0])
  expect(width).toBeGreaterThanOrEqual(1_200)
  const pixels = await sharp(picture).resize(side, side, { kernel: 'nearest' }).greyscale().raw().toBuffer()
  return [...pixels].map((value) => value === 0)
}
