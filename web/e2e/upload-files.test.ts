import { readFile, rm, utimes } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { PHOTO_MAX_BYTES } from '../../src/contract/limits.ts'
import { expectNoAxeFault } from './axe.ts'
import { organiserAtWork, seesSuccessPage } from './organiser.ts'
import { makePhotoFolder, numbered } from './photo-folder.ts'
import type { Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { focusIsOn, holdBack, sees, seesToast } from './visitor.ts'

const SHRINK = { name: 'Make them smaller and upload all' }
const ONLY_JPEG = 'Only JPEG and PNG files are supported (facial recognition service requirement)'
const TOO_LARGE = 'File too large (max 5MB per photo for facial recognition)'
const NOT_OPENED = 'The browser could not open this photo. It may be damaged.'
const CHANGED = 'This file has been moved or changed since it was chosen. Choose it again.'

/** Names in many scripts. */
const NAMES = ['Größe ß.jpg', '写真 一.JPG', 'tief/صورة.jpeg', '😀 & Co.jpg']

const test = siteTest({ work: false })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest insists on a destructuring pattern.
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    // Of a camera that was turned: the picture is 3000 pixels wide.
    const turned = await noise(4000, 3000)
      .jpeg({ quality: 97 })
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD2: { DateTimeOriginal: '2025:08:19 14:03:22' } })
      .toBuffer()
    const folder = await makePhotoFolder({
      ...numbered(17),
      'big.jpg': Buffer.alloc(PHOTO_MAX_BYTES + 1),
      'IMG_0001.HEIC': Buffer.from('no browser opens this'),
      'empty.png': Buffer.alloc(0),
      'notes.txt': Buffer.from('notes'),
      'film.mp4': Buffer.from('film'),
      ...Object.fromEntries(NAMES.map((name) => [`Sommerfest/${name}`, null])),
      'Sommerfest/film.mp4': Buffer.from('film'),
      'Sommerfest/Thumbs.db': Buffer.from('junk'),
      'Sommerfest/.DS_Store': Buffer.from('junk'),
      'Sommerfest/._Größe ß.jpg': Buffer.from('about the photo'),
      'Sommerfest/tief/broken.jpg': Buffer.from('no photo at all'),
      'Party/turned.JPG': turned,
      'Party/drawing.png': await noise(1500, 1200).ensureAlpha(0).png({ compressionLevel: 1 }).toBuffer(),
      'Party/damaged.jpg': Buffer.concat([turned.subarray(0, 100), Buffer.alloc(PHOTO_MAX_BYTES, 1)]),
      'Party/small.jpg': null,
    })
    onCleanup(folder.remove)
    return folder
  })
test.beforeAll(({ folder }) => void folder)

/** Noise compresses badly, as grass and confetti do. */
const noise = (width: number, height: number) => {
  const grain = { type: 'gaussian', mean: 128, sigma: 40 } as const
  return sharp({ create: { width, height, channels: 3, background: 'grey', noise: grain } })
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

const storedIn = (site: Site, albumName: string) =>
  site.database.db
    .selectFrom('photos')
    .innerJoin('albums', 'albums.id', 'photos.album_id')
    .where('albums.slug', '=', albumName)
    .select(['filename', 'size', 'width', 'height', 'media_type', 'taken_at'])
    .orderBy('filename')
    .execute()

/** Drags files or folders from the disk over the drop area.
 *  @returns what drops them there */
async function dragOver(page: Page, paths: string[]): Promise<() => Promise<unknown>> {
  const box = (await page.getByRole('button', { name: 'Drop photos or folders here' }).boundingBox())!
  const devtools = await page.context().newCDPSession(page)
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    devtools.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: paths, dragOperationsMask: 1 },
    })
  await drag('dragEnter')
  await drag('dragOver')
  return () => drag('drop')
}

test('a file that cannot be a photo is blocked with its reason, and a JPEG that is called HEIC is sent as a copy', async ({
  visit,
  site,
  folder,
}) => {
  const { page, album, choose } = await organiserAtWork(visit, site)
  await press(page, 'Upload Photos')
  await seesToast(page, 'No photos selected', 'Please select photos to upload')
  await choose(folder.paths('big.jpg', 'IMG_0001.HEIC', 'empty.png', 'notes.txt', 'film.mp4', '1.jpg'))
  await seesToast(
    page,
    '5 files blocked',
    [`big.jpg: ${TOO_LARGE}`, `IMG_0001.HEIC: ${ONLY_JPEG}`, 'empty.png: Invalid file', '...and 2 more'].join(
      '\n',
    ),
  )
  await sees(page, '1 photo selected')
  const blocked = page.getByRole('region', { name: '5 files blocked' })
  await blocked.getByText(`notes.txt: ${ONLY_JPEG}`).waitFor()
  await blocked.getByRole('button', SHRINK).waitFor()
  await expectNoAxeFault(page)
  // The list of hundreds of files is closed at first.
  const films = Array.from({ length: 299 }, (_, index) => `film-${index}.mp4`)
  await choose(films.map((name) => ({ name, mimeType: 'video/mp4', buffer: Buffer.from('film') })))
  await page.getByRole('heading', { name: '304 files blocked' }).waitFor()
  expect(await page.getByText('film-298.mp4').isVisible()).toBe(false)
  await page.getByText('304 files not uploaded').click()
  await page.getByText('film-298.mp4').waitFor()
  await expectNoAxeFault(page)
  await press(page, 'Dismiss list')
  await focusIsOn(page, 'main')
  await press(page, 'Clear All')
  await focusIsOn(page, 'main')
  expect(await page.getByRole('button', { name: /^Remove / }).count()).toBe(0)

  await choose(folder.paths('IMG_0001.HEIC'))
  await sees(page, '1 file blocked')
  expect(await page.getByRole('button', SHRINK).count()).toBe(0)
  await page.getByRole('button', { name: 'Dismiss list' }).click()
  // Other photos do not wait until the browser has tried to open one.
  const opening = await page.evaluateHandle(() => {
    const { createImageBitmap } = window
    window.createImageBitmap = () => new Promise(() => {})
    return () => Object.assign(window, { createImageBitmap })
  })
  await choose(folder.paths('IMG_0001.HEIC', '2.jpg'))
  await sees(page, '1 photo selected')
  await opening.evaluate((end) => end())
  await press(page, 'Clear All')
  // This browser can open it, whatever its name says.
  const buffer = await readFile(folder.paths('1.jpg')[0]!)
  await choose([{ name: 'IMG_0002.HEIC', mimeType: 'image/heic', buffer }])
  await page.getByRole('button', SHRINK).press('Enter')
  await seesToast(page, 'Upload completed!', '1 photo uploaded successfully, 0 failed')
  expect((await storedIn(site, album.albumName)).map(({ filename }) => filename)).toEqual(['IMG_0002.jpg'])
})

test('a folder is dropped with everything in it, with names in any script; what is no photo is ignored or named', async ({
  visit,
  site,
  folder,
}) => {
  const { page, album, upload, chooseFolder } = await organiserAtWork(visit, site)
  const area = page.getByRole('button', { name: 'Drop photos or folders here' })
  expect(await area.evaluate((it) => getComputedStyle(it).borderStyle)).toBe('dashed')
  const drop = await dragOver(page, folder.paths('Sommerfest', '1.jpg'))
  await expect.poll(() => area.evaluate((it) => getComputedStyle(it).borderStyle)).toBe('solid')
  await drop()
  await sees(page, '6 photos selected')
  await seesToast(page, '1 file blocked', `film.mp4: ${ONLY_JPEG}`)
  await page.getByRole('img', { name: 'broken.jpg, no preview' }).waitFor()
  await page.getByRole('img', { name: '写真 一.JPG', exact: true }).waitFor()
  await upload()
  await seesToast(page, 'Upload completed!', '5 photos uploaded successfully, 1 failed')
  await seesSuccessPage(page)
  await sees(page, '1 file not uploaded')
  expect((await storedIn(site, album.albumName)).map(({ filename }) => filename).sort()).toEqual(
    ['1.jpg', ...NAMES.map((name) => name.split('/').at(-1)!)].sort(),
  )

  // A dropped folder and the same folder from the dialog are the same photos.
  await page.goto('/bulk-upload')
  await chooseFolder(folder.paths('Sommerfest')[0]!)
  await sees(page, '4 of 5 photos are already uploaded; sending the other 1')
})

test('photos above 5 MB are made smaller, upright and as large as fits, and a second visit sends none again', async ({
  visit,
  site,
  folder,
}) => {
  const { page, album, chooseFolder } = await organiserAtWork(visit, site)
  await chooseFolder(folder.paths('Party')[0]!)
  await seesToast(page, '3 files blocked')
  const blocked = page.getByRole('region', { name: '3 files blocked' })
  const reasons = blocked.getByRole('listitem')
  expect((await reasons.allInnerTexts()).sort()).toEqual(
    ['damaged.jpg', 'drawing.png', 'turned.JPG'].map((name) => `${name}: ${TOO_LARGE}`),
  )
  // Without its worker nothing gets further.
  const { held, letGo } = await holdBack(page, '**/assets/shrink-worker*')
  await blocked.getByRole('button', SHRINK).press('Enter')
  await focusIsOn(page, 'div:has(> section[aria-label="Upload progress"])')
  await sees(page, 'Making photo 1 of 3 smaller')
  await held
  await press(page, 'Stop the upload')
  await focusIsOn(page, 'main')
  expect(await storedIn(site, album.albumName)).toEqual([])
  letGo()
  await page.getByRole('button', { name: 'Upload 4 Photos' }).click()
  await seesToast(page, 'Upload completed!', '3 photos uploaded successfully, 1 failed')
  await seesSuccessPage(page)
  const failed = page.getByRole('list', { name: 'Files not uploaded' }).getByRole('listitem')
  await expect.poll(() => failed.allInnerTexts()).toEqual([`damaged.jpg: ${NOT_OPENED}`])

  const photos = await storedIn(site, album.albumName)
  expect(photos.map(({ filename }) => filename)).toEqual(['drawing.jpg', 'small.jpg', 'turned.JPG'])
  const [drawing, , large] = photos
  expect(drawing).toMatchObject({ width: 1500, height: 1200, media_type: 'image/jpeg' })
  expect(large!.size).toBeLessThanOrEqual(PHOTO_MAX_BYTES)
  expect(large!.size).toBeGreaterThan(PHOTO_MAX_BYTES * 0.85)
  expect([drawing!.taken_at, large!.taken_at]).toEqual([null, '2025-08-19T14:03:22'])
  expect(large!.height / large!.width).toBeCloseTo(4 / 3, 2)

  // The browser knows the originals, so they are not even blocked.
  await page.goto('/bulk-upload')
  await chooseFolder(folder.paths('Party')[0]!)
  await seesToast(page, '1 file blocked', `damaged.jpg: ${TOO_LARGE}`)
  await sees(page, 'All 3 photos are already in the album')
})

test('photos that were deleted or changed after they were chosen fail alone', async ({
  visit,
  site,
  onTestFinished,
}) => {
  const chosen = await makePhotoFolder(numbered(4))
  onTestFinished(chosen.remove)
  const paths = chosen.paths('1.jpg', '2.jpg', '3.jpg', '4.jpg')
  const [, deleted, changed] = paths as [string, string, string]
  const { page, choose, upload } = await organiserAtWork(visit, site)
  await choose(paths)
  await page.waitForFunction(() => document.querySelectorAll('main ul img').length === 4)
  await rm(deleted)
  await utimes(changed, new Date(), new Date(Date.now() + 60_000))
  await upload()
  await seesToast(page, 'Upload completed!', '2 photos uploaded successfully, 2 failed')
  await seesSuccessPage(page)
  const failed = page.getByRole('list', { name: 'Files not uploaded' }).getByRole('listitem')
  await expect.poll(() => failed.allInnerTexts()).toEqual([`2.jpg: ${CHANGED}`, `3.jpg: ${CHANGED}`])
})
