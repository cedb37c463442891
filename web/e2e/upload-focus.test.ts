import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { noisyJpeg } from './large-photos.ts'
import { numbered, photoFolder } from './photo-folder.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const FILES = {
  ...numbered(3),
  'notes.txt': Buffer.from('notes'),
  'large.jpg': await noisyJpeg(3000, 2400),
}

const test = siteTest({ work: false }).extend('folder', { scope: 'file' }, photoFolder(FILES))

test.beforeEach(async ({ visitor, page, site, folder }) => {
  const { displayName, ownerKey, albumName } = await site.createAlbum('Garden Party')
  await visitor.becomeOrganiser({
    userEmail: 'owner@example.com',
    eventName: displayName,
    userAlbumId: ownerKey,
    userAlbumSlug: albumName,
  })
  await page.goto('/bulk-upload')
  await page.setInputFiles('input[type=file]:not([webkitdirectory])', folder.paths(...Object.keys(FILES)))
  await sees(page, '3 photos selected')
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

/** Waits until the focus is on an element that this selector finds. */
const focusIsOn = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()

const PROGRESS = 'div:has(> section[aria-label="Upload progress"])'

test.for(['Upload 3 Photos', 'Make them smaller and upload all'])(
  '"%s" moves the focus to the progress, and "Stop the upload" to the content',
  async (start, { page }) => {
    await page.route('**/upload-photos', () => {})
    await press(page, start)
    await focusIsOn(page, PROGRESS)
    await press(page, 'Stop the upload')
    await focusIsOn(page, 'main')
    await page.getByRole('button', { name: 'Choose a whole folder' }).waitFor()
  },
)

test('a failed upload has the focus', async ({ page }) => {
  await page.route('**/upload-photos', (route) => route.fulfill({ status: 403, json: { error: 'No' } }))
  await press(page, 'Upload 3 Photos')
  await focusIsOn(page, 'div:has(> [role=alert])')
})

test('"Dismiss list" and "Clear All" move the focus to the content', async ({ page }) => {
  await press(page, 'Dismiss list')
  await focusIsOn(page, 'main')
  await press(page, 'Clear All')
  await focusIsOn(page, 'main')
  expect(await page.getByRole('button', { name: /^Remove / }).count()).toBe(0)
})

test('removing a photo moves the focus to the next one, or else to the one before', async ({ page }) => {
  await press(page, 'Remove 1.jpg')
  await focusIsOn(page, '[aria-label="Remove 2.jpg"]')
  await press(page, 'Remove 3.jpg')
  await focusIsOn(page, '[aria-label="Remove 2.jpg"]')
  await press(page, 'Remove 2.jpg')
  await focusIsOn(page, 'main')
})
