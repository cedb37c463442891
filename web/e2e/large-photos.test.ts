import { truncate } from 'node:fs/promises'
import { expect } from 'vitest'
import { PHOTO_MAX_BYTES } from '../../src/contract/limits.ts'
import { noisyJpeg, noisyPng } from './large-photos.ts'
import { organiserAtWork, seesSuccessPage, UPLOADS } from './organiser.ts'
import { makePhotoFolder, type PhotoFolder } from './photo-folder.ts'
import type { Site } from './site.ts'
import { siteTest, type Visit } from './site-test.ts'
import { toastsOf } from './toasts.ts'
import { holdBack, sees, seesToast } from './visitor.ts'

declare global {
  interface Window {
    letStorageOpen(): void
  }
}

const BUTTON = { name: 'Make them smaller and upload all' }
const TOO_LARGE = 'File too large (max 5MB per photo for facial recognition)'
const NOT_OPENED = 'The browser could not open this photo. It may be damaged.'

const test = siteTest({ work: false })
  .extend('turned', { scope: 'file' }, () => noisyJpeg(4000, 3000, 6))
  .extend('folder', { scope: 'file' }, async ({ turned }, { onCleanup }) => {
    const folder = await makePhotoFolder({
      'Party/turned.JPG': turned,
      'Party/drawing.png': await noisyPng(1500, 1200),
      'Party/damaged.jpg': Buffer.concat([turned.subarray(0, 100), Buffer.alloc(PHOTO_MAX_BYTES, 1)]),
      'Party/small.jpg': null,
    })
    onCleanup(folder.remove)
    return folder
  })
test.beforeAll(({ folder }) => void folder)

/** An organiser who has chosen some files of the folder. */
async function choosing(visit: Visit, site: Site, folder: PhotoFolder, ...names: string[]) {
  const organiser = await organiserAtWork(visit, site)
  await organiser.choose(folder.paths(...names.map((name) => `Party/${name}`)))
  return organiser
}

async function storedIn(site: Site, albumName: string) {
  const photos = await site.database.db
    .selectFrom('photos')
    .innerJoin('albums', 'albums.id', 'photos.album_id')
    .where('albums.slug', '=', albumName)
    .select(['filename', 'size', 'width', 'height', 'media_type', 'taken_at'])
    .orderBy('filename')
    .execute()
  return photos
}

test('photos above 5 MB are made smaller, upright and as large as fits, and a second visit sends none again', async ({
  visit,
  site,
  folder,
}) => {
  const { page, album, chooseFolder } = await organiserAtWork(visit, site)
  await chooseFolder(folder.paths('Party')[0]!)
  await seesToast(page, '3 files blocked')
  const blocked = page.getByRole('region', { name: '3 files blocked' })
  const names = blocked.getByRole('list', { name: `3 files: ${TOO_LARGE}` }).getByRole('listitem')
  expect((await names.allInnerTexts()).map((text) => text.split('\n')[0]).sort()).toEqual([
    'damaged.jpg',
    'drawing.png',
    'turned.JPG',
  ])
  // The text is there for a moment only, so the worker waits until the test has seen it.
  const { held, letGo } = await holdBack(page, '**/assets/shrink-worker*')
  await blocked.getByRole('button', BUTTON).click()
  await sees(page, 'Making photo 1 of 3 smaller')
  await held
  letGo()
  await seesToast(page, 'Upload completed!', '3 photos uploaded successfully, 1 failed')
  await seesSuccessPage(page)
  const failed = page.getByRole('list', { name: 'Photos not uploaded' }).getByRole('listitem')
  await expect.poll(() => failed.allInnerTexts()).toEqual([`damaged.jpg: ${NOT_OPENED}`])

  const photos = await storedIn(site, album.albumName)
  expect(photos.map(({ filename }) => filename)).toEqual(['drawing.jpg', 'small.jpg', 'turned.JPG'])
  const [drawing, , large] = photos
  expect(drawing).toMatchObject({ width: 1500, height: 1200, media_type: 'image/jpeg' })
  expect(large!.size).toBeLessThanOrEqual(PHOTO_MAX_BYTES)
  expect(large!.size).toBeGreaterThan(PHOTO_MAX_BYTES * 0.85)
  expect([drawing!.taken_at, large!.taken_at]).toEqual([null, '2025-08-19T14:03:22'])
  expect(large!.height / large!.width).toBeCloseTo(4 / 3, 2)

  // The second visit: the ledger knows the originals.
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/upload-photos')) sent.push(request.url())
  })
  await page.goto('/bulk-upload')
  await chooseFolder(folder.paths('Party')[0]!)
  await seesToast(page, '1 file blocked', `damaged.jpg: ${TOO_LARGE}`)
  await sees(page, 'All 3 photos are already in the album')
  expect(sent).toEqual([])
})

test('a photo uploaded before is not blocked, even if it is chosen before the browser has found that out', async ({
  visit,
  site,
  folder,
}) => {
  const { page, choose } = await choosing(visit, site, folder, 'drawing.png')
  await page.getByRole('button', BUTTON).click()
  await seesSuccessPage(page)

  await page.addInitScript(holdStorage)
  await page.goto('/bulk-upload')
  await choose(folder.paths('Party/drawing.png'))
  await page.evaluate(() => window.letStorageOpen())
  await sees(page, 'This photo is already in the album')
  expect(await toastsOf(page)).toEqual([])
})

/** Runs in the page: its storage does not open until letStorageOpen is called. */
function holdStorage(): void {
  const { open } = IDBFactory.prototype
  const allowed = new Promise<void>((resolve) => {
    window.letStorageOpen = resolve
  })
  IDBFactory.prototype.open = function (...args) {
    const request = open.apply(this, args)
    Object.defineProperty(request, 'onsuccess', {
      set: (handle: (event: Event) => void) =>
        request.addEventListener('success', (event) => void allowed.then(() => handle.call(request, event))),
    })
    return request
  }
}

test('a photo that cannot be opened comes back to the list with its reason, and can be dismissed', async ({
  visit,
  site,
  folder,
}) => {
  const { page } = await choosing(visit, site, folder, 'damaged.jpg')
  await page.getByRole('button', BUTTON).click()
  await seesToast(page, 'Upload failed', 'No photos were uploaded successfully. Please try again.')
  const blocked = page.getByRole('region', { name: '1 file blocked' })
  await blocked
    .getByRole('list', { name: `1 file: ${NOT_OPENED}` })
    .getByText('damaged.jpg')
    .waitFor()
  expect(await blocked.getByRole('button', BUTTON).count()).toBe(0)
  await page.getByRole('button', { name: 'Upload Photos' }).waitFor()
  await blocked.getByRole('button', { name: 'Dismiss list' }).click()
  await blocked.waitFor({ state: 'detached' })
})

test('the upload can be stopped while photos are made smaller, and continued', async ({
  visit,
  site,
  folder,
}) => {
  const { page, album } = await choosing(visit, site, folder, 'turned.JPG', 'small.jpg')
  // The worker never loads, so nothing gets further.
  const { held, letGo } = await holdBack(page, '**/assets/shrink-worker*')
  await page.getByRole('button', BUTTON).click()
  await sees(page, 'Making photo 1 of 1 smaller')
  await held
  await page.getByRole('button', { name: 'Stop the upload' }).click()
  await page.getByRole('button', { name: 'Upload 2 Photos' }).waitFor()
  await sees(page, 'Drop photos or folders here')
  letGo()
  expect(await storedIn(site, album.albumName)).toEqual([])
  expect((await toastsOf(page)).map(([title]) => title)).toEqual(['1 file blocked'])

  await page.getByRole('button', { name: 'Upload 2 Photos' }).click()
  await seesToast(page, 'Upload completed!', '2 photos uploaded successfully, 0 failed')
  expect((await storedIn(site, album.albumName)).map(({ filename }) => filename)).toEqual([
    'small.jpg',
    'turned.JPG',
  ])
})

test('an upload that was stopped between two batches continues where it stopped', async ({ visit, site }) => {
  const files = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`${index + 1}.jpg`, null]))
  const many = await makePhotoFolder(files)
  const { page, choose, upload } = await organiserAtWork(visit, site)
  let batches = 0
  await page.route(UPLOADS, (route) => {
    if (++batches !== 2) return route.continue()
  })
  await choose(many.paths(...Object.keys(files)))
  await upload()
  await sees(page, '15 of 16 photos')
  await page.getByRole('button', { name: 'Stop the upload' }).click()
  await page.unroute(UPLOADS)
  await sees(page, '15 of 16 photos are already uploaded; sending the other 1')
  await page.getByRole('button', { name: 'Upload 1 Photo', exact: true }).click()
  await seesToast(page, 'Upload completed!', '1 photo uploaded successfully, 0 failed')
  await many.remove()
})

test('a HEIC photo is offered where the browser opens it, and uploaded as a JPEG', async ({
  visit,
  site,
  turned,
}) => {
  const { page, album, choose } = await organiserAtWork(visit, site)
  await choose([
    { name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: Buffer.from('no browser opens this') },
  ])
  await sees(page, '1 file blocked')
  expect(await page.getByRole('button', BUTTON).count()).toBe(0)
  await page.getByRole('button', { name: 'Dismiss list' }).click()
  // Chromium looks at the content, and takes this one for what it is.
  await choose([{ name: 'IMG_0002.HEIC', mimeType: 'image/heic', buffer: turned }])
  await page.getByRole('button', BUTTON).click()
  await seesToast(page, 'Upload completed!', '1 photo uploaded successfully, 0 failed')
  expect((await storedIn(site, album.albumName)).map(({ filename }) => filename)).toEqual(['IMG_0002.jpg'])
})

test('a browser that cannot make photos smaller says so and offers nothing', async ({
  visit,
  site,
  folder,
}) => {
  const { page, choose } = await organiserAtWork(visit, site)
  await page.addInitScript(() => Reflect.deleteProperty(window, 'OffscreenCanvas'))
  await page.reload()
  await choose(folder.paths('Party/turned.JPG'))
  await sees(page, 'This browser cannot make photos smaller. A current Chrome, Edge, Firefox or Safari can.')
  expect(await page.getByRole('button', BUTTON).count()).toBe(0)
})

test('hundreds of blocked files are grouped by reason, closed at first, and reached by keyboard', async ({
  visit,
  site,
}) => {
  const names = [...Array(300).keys()].map((index) =>
    index < 280 ? `DSC_${index}.jpg` : `film-${index}.mp4`,
  )
  const many = await makePhotoFolder(Object.fromEntries(names.map((name) => [name, null])))
  for (const path of many.paths(...names)) await truncate(path, PHOTO_MAX_BYTES + 1)
  const { page, choose } = await organiserAtWork(visit, site)
  await choose(many.paths(...names))
  await seesToast(page, '300 files blocked')
  const blocked = page.getByRole('region', { name: '300 files blocked' })
  const summary = blocked.locator('summary')
  expect(await summary.allInnerTexts()).toEqual([
    `280 files: ${TOO_LARGE}`,
    '20 files: Only JPEG and PNG files are supported (facial recognition service requirement)',
  ])
  expect(await blocked.getByRole('listitem').count()).toBe(0)
  await summary.first().focus()
  await page.keyboard.press('Enter')
  await blocked.getByText('DSC_279.jpg').waitFor()
  const list = blocked.getByRole('list', { name: `280 files: ${TOO_LARGE}` })
  expect(await list.evaluate((it) => it.clientHeight)).toBeLessThan(300)
  await page.keyboard.press('Tab')
  expect(await list.evaluate((it) => it === document.activeElement)).toBe(true)
  await sees(
    page,
    'This browser makes a smaller copy of 280 photos. Your originals stay as they are. The copies do not keep the date and place of the photo.',
  )
  await many.remove()
})
