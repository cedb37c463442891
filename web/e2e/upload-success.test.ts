import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { UPLOAD_REDIRECT_DELAY_MS } from '../../src/contract/limits.ts'
import { type OrganiserAtWork, organiserAtWork, seesSuccessPage } from './organiser.ts'
import { numbered, type PhotoFolder, photoFolder } from './photo-folder.ts'
import { siteTest } from './site-test.ts'
import { sees, seesToast } from './visitor.ts'

const test = siteTest({ work: false }).extend('folder', { scope: 'file' }, photoFolder(numbered(4)))

/** An organiser who has uploaded photos, at /upload-success. */
async function uploaded(folder: PhotoFolder, organiser: OrganiserAtWork, ...names: string[]): Promise<void> {
  await organiser.choose(folder.paths(...names))
  await organiser.upload()
  await seesSuccessPage(organiser.page)
}

/** Leaves the browser as one that has uploaded nothing. A page of the web app would keep its database open. */
async function forgetUploads(page: Page): Promise<void> {
  await page.goto('/healthz')
  await page.evaluate(
    () =>
      new Promise<void>((done, fail) => {
        const request = indexedDB.deleteDatabase('inframe-uploads')
        request.onsuccess = () => done()
        request.onerror = () => fail(request.error)
      }),
  )
}

declare global {
  interface Window {
    /** When the address changed to /upload-success, in ms on the page's clock. */
    redirectedAt?: number
  }
}

/** Runs in the page. */
function noteRedirect(): void {
  const { replaceState } = history
  history.replaceState = (...args) => {
    replaceState.apply(history, args)
    if (location.pathname === '/upload-success') window.redirectedAt ??= Date.now()
  }
}

test('the redirect comes two seconds after the success card, neither before nor noticeably later', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, clock } = organiser
  await page.addInitScript(noteRedirect)
  await page.reload()
  const cards = await clock.watch('main [role=status] p', /^1 photo uploaded$/)
  await uploaded(folder, organiser, '1.jpg')
  const redirectedAt = await page.evaluate(() => window.redirectedAt!)
  const [[upload], [card]] = [await clock.calls('/upload-photos'), await cards()]
  expect(UPLOAD_REDIRECT_DELAY_MS).toBe(2_000)
  expect(redirectedAt - upload!.answeredAt!).toBeGreaterThanOrEqual(2_000)
  expect(redirectedAt - card!.from).toBeLessThan(3_000)
})

test("the album's full address can be copied, and its progress watched", async ({ visit, site, folder }) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, context, album } = organiser
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await uploaded(folder, organiser, '1.jpg', '2.jpg')
  const address = `${site.url}/album/${album.albumName}`
  await sees(page, address)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await seesToast(page, 'Copied the link')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)

  await page.getByRole('link', { name: 'Watch progress' }).click()
  await page.waitForURL(address)
  await sees(page, 'Step 1: Uploading to the cloud')
})

test('a browser that never saved the address learns it when it uploads', async ({ visit, site, folder }) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, album } = organiser
  await page.evaluate(() => localStorage.removeItem('userAlbumSlug'))
  await page.reload()
  await uploaded(folder, organiser, '1.jpg')
  await sees(page, `${site.url}/album/${album.albumName}`)
})

const promisesLetter = async (page: Page) =>
  /notify|Email with album link/.test(await page.getByRole('main').innerText())

test('photos that were in the album before are not called uploaded, and no letter is promised', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, album, choose, upload } = organiser
  await uploaded(folder, organiser, '1.jpg', '2.jpg')
  await page.goto('/bulk-upload')
  await choose(folder.paths('1.jpg', '2.jpg'))
  await upload()
  await seesToast(page, 'Already in the album', '2 photos are already in the album')
  const card = page.getByRole('main').getByRole('status').filter({ hasText: 'already in the album' })
  expect(await card.locator('p').allInnerTexts()).toEqual([
    '2 photos are already in the album',
    'Taking you to the next step...',
  ])
  await seesSuccessPage(page)
  await page.getByRole('heading', { name: 'Already in the Album' }).waitFor()
  expect(await page.getByRole('main').innerText()).toContain(
    '2 photos are already in Garden Party. Nothing new was uploaded.',
  )
  expect(await promisesLetter(page)).toBe(false)
  await sees(page, `${site.url}/album/${album.albumName}`)
})

test('of two known photos and a new one, one is being processed, also when another browser sent the two', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page } = organiser
  await uploaded(folder, organiser, '1.jpg', '2.jpg')
  await forgetUploads(page)
  await page.goto('/bulk-upload')
  await uploaded(folder, organiser, '1.jpg', '3.jpg')
  const said = async () => await page.getByRole('main').innerText()
  await expect.poll(said).toContain('1 photo is being processed for Garden Party.')
  expect(await said()).toContain('1 more was already in the album. All photos are sent.')

  await page.goto('/bulk-upload')
  await organiser.choose(folder.paths('1.jpg', '3.jpg'))
  await sees(page, 'All 2 photos are already in the album')
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  await organiser.choose(folder.paths('4.jpg'))
  await page.getByRole('button', { name: 'Upload 1 Photo', exact: true }).click()
  await seesSuccessPage(page)
  await expect.poll(said).toContain('1 photo is being processed for Garden Party.')
  expect(await said()).toContain('2 more were already in the album.')
})

test('files that were blocked stand on the page with their names and reasons', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, choose } = organiser
  await choose({ name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('film') })
  await page.getByRole('region', { name: '1 file blocked' }).waitFor()
  await uploaded(folder, organiser, '1.jpg')
  const blocked = page.getByRole('main').locator('div', { hasText: '1 file was blocked' }).last()
  await blocked.waitFor()
  await page
    .getByRole('list', { name: 'Files not uploaded' })
    .getByText('film.mp4: Only JPEG and PNG files are supported (facial recognition service requirement)')
    .waitFor()
})

test('photos that another browser has uploaded are not called uploaded either', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page } = organiser
  await uploaded(folder, organiser, '1.jpg', '2.jpg')
  await forgetUploads(page)
  await page.goto('/bulk-upload')
  await uploaded(folder, organiser, '1.jpg', '2.jpg')
  await page.getByRole('heading', { name: 'Already in the Album' }).waitFor()
  expect(await promisesLetter(page)).toBe(false)

  await forgetUploads(page)
  await page.goto('/bulk-upload')
  await uploaded(folder, organiser, '1.jpg', '2.jpg', '3.jpg')
  await page.getByRole('heading', { name: 'Upload Started Successfully!' }).waitFor()
  expect(await promisesLetter(page)).toBe(true)
})

test('every photo that is missing is counted, also beyond those that are named', async ({ visit, site }) => {
  const { page } = await organiserAtWork(visit, site)
  await page.evaluate(() =>
    localStorage.setItem(
      'uploadSuccess',
      JSON.stringify({
        photoCount: 12_345,
        email: 'owner@example.com',
        albumName: 'Garden Party',
        notStored: [{ filename: '1.jpg', message: 'This photo is damaged.' }],
        notStoredCount: 2_346,
      }),
    ),
  )
  await page.goto('/upload-success')
  await sees(page, '12,345 photos')
  await sees(page, '2,346 photos not uploaded')
  await sees(page, '...and 2,345 more')
})
