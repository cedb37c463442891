import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { noisyJpeg } from './large-photos.ts'
import { makePhotoFolder, numbered, type PhotoFolder } from './photo-folder.ts'
import { type Site, startSite } from './site.ts'
import { newVisitor, sees, type Visitor } from './visitor.ts'

let browser: Browser
let site: Site
let folder: PhotoFolder
let visitor: Visitor
let page: Page

beforeAll(async () => {
  const files = {
    ...numbered(3),
    'notes.txt': Buffer.from('notes'),
    'large.jpg': await noisyJpeg(3000, 2400),
  }
  ;[browser, site, folder] = await Promise.all([
    launchBrowser(),
    startSite({ work: false }),
    makePhotoFolder(files),
  ])
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await folder?.remove()
})

beforeEach(async () => {
  visitor = await newVisitor(browser, site.url)
  page = visitor.page
  const { displayName, ownerKey, albumName } = await site.createAlbum('Garden Party')
  await visitor.becomeOrganiser({
    userEmail: 'owner@example.com',
    eventName: displayName,
    userAlbumId: ownerKey,
    userAlbumSlug: albumName,
  })
  await page.goto('/bulk-upload')
  await page.setInputFiles(
    'input[type=file]:not([webkitdirectory])',
    folder.paths('1.jpg', '2.jpg', '3.jpg', 'notes.txt', 'large.jpg'),
  )
  await sees(page, '3 photos selected')
})
afterEach(() => visitor.leave())

const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

/** Waits until the focus is on an element that this selector finds. */
const focusIsOn = (selector: string) => page.locator(`${selector}:focus`).waitFor()

const PROGRESS = 'div:has(> section[aria-label="Upload progress"])'

test.each(['Upload 3 Photos', 'Make them smaller and upload'])(
  '"%s" moves the focus to the progress, and "Stop the upload" to the content',
  async (start) => {
    await page.route('**/upload-photos', () => {})
    await press(start)
    await focusIsOn(PROGRESS)
    await press('Stop the upload')
    await focusIsOn('main')
    await page.getByRole('button', { name: 'Choose a whole folder' }).waitFor()
  },
)

test('a failed upload has the focus', async () => {
  await page.route('**/upload-photos', (route) => route.fulfill({ status: 403, json: { error: 'No' } }))
  await press('Upload 3 Photos')
  await focusIsOn('div:has(> [role=alert])')
})

test('"Dismiss list" and "Clear All" move the focus to the content', async () => {
  await press('Dismiss list')
  await focusIsOn('main')
  await press('Clear All')
  await focusIsOn('main')
  expect(await page.getByRole('button', { name: /^Remove / }).count()).toBe(0)
})

test('removing a photo moves the focus to the next one, or else to the one before', async () => {
  await press('Remove 1.jpg')
  await focusIsOn('[aria-label="Remove 2.jpg"]')
  await press('Remove 3.jpg')
  await focusIsOn('[aria-label="Remove 2.jpg"]')
  await press('Remove 2.jpg')
  await focusIsOn('main')
})
