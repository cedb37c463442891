import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { BATCH_RETRY_DELAY_MS } from '../../src/contract/limits.ts'
import { expectNoAxeFault } from './axe.ts'
import {
  atSecondUpload,
  type OrganiserAtWork,
  organiserAtWork,
  seesSuccessPage,
  UPLOADS,
} from './organiser.ts'
import { numbered, type PhotoFolder, photoFolder } from './photo-folder.ts'
import { refusal } from './refusals.ts'
import { siteTest } from './site-test.ts'
import { focusIsOn, holdBack, organiserOf, sees, seesToast } from './visitor.ts'

const THREE_BATCHES = Object.keys(numbered(31))
const TWO_BATCHES = Object.keys(numbered(16))

const test = siteTest({ work: false }).extend(
  'folder',
  { scope: 'file' },
  photoFolder({
    ...numbered(31),
    ...Object.fromEntries(Object.keys(numbered(20)).map((name) => [`Party/${name}`, null])),
  }),
)

const LOST =
  "This browser can no longer add photos to this album. It was removed, you have logged out, or it has a new owner key. Open the album's private link, or create a new album."
const OFFLINE = 'You are offline. The upload goes on by itself when the connection is back.'
const NONE_UPLOADED = 'No photos were uploaded successfully. Please try again.'

const mainText = (page: Page) => page.getByRole('main').innerText()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
const errorCard = (page: Page) => page.getByRole('main').getByRole('alert')

const answer500 = (route: Route) =>
  route.fulfill(
    refusal({
      code: 'INTERNAL_SERVER_ERROR',
      message: 'Something went wrong on our side. Please try again.',
    }),
  )

/** Chooses these photos and uploads them. */
async function send(
  { choose, upload }: OrganiserAtWork,
  folder: PhotoFolder,
  names: string[],
): Promise<void> {
  await choose(folder.paths(...names))
  await upload()
}

/** Lets the two seconds pass after which failed batches are sent again. */
async function retries({ page, clock }: OrganiserAtWork): Promise<void> {
  await seesToast(page, 'Retrying failed batches')
  await clock.pass(BATCH_RETRY_DELAY_MS)
}

test('what met one server error succeeds in the retry; an upload that fails can be tried again, and one to an album that was erased leads to a new album', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, album, progress, upload } = organiser
  await atSecondUpload(page, answer500)
  await send(organiser, folder, THREE_BATCHES)
  await retries(organiser)
  const success = '31 photos uploaded successfully (including 1 retried batches), 0 failed'
  await seesToast(page, 'Upload completed!', success)
  await seesSuccessPage(page)
  await expect
    .poll(progress)
    .toMatchObject({ totalPhotos: 31, photosUploadedToS3: 31, isUploadingToS3: false })

  await page.unroute(UPLOADS)
  await page.goto('/bulk-upload')
  await page.route(UPLOADS, answer500)
  await send(organiser, folder, ['Party/1.jpg', 'Party/2.jpg'])
  await retries(organiser)
  await seesToast(page, 'Upload failed', NONE_UPLOADED)
  await focusIsOn(page, 'div:has(> [role=alert])')
  await errorCard(page).getByText('Please try again or check your internet connection').waitFor()
  await expectNoAxeFault(page)
  await page.unroute(UPLOADS)
  await upload()
  await seesToast(page, 'Upload completed!', '2 photos uploaded successfully, 0 failed')
  await seesSuccessPage(page)

  await album.owner.delete(`/api/albums/${album.ownerKey}`)
  await page.goto('/bulk-upload')
  await send(organiser, folder, ['Party/3.jpg'])
  await seesToast(page, 'Upload Failed', LOST)
  await expect
    .poll(() => errorCard(page).evaluate((it) => it.getBoundingClientRect().bottom <= innerHeight))
    .toBe(true)
  expect(await page.getByRole('button', { name: /^Upload / }).count()).toBe(0)
  expect(await page.locator('input[type=file]').count()).toBe(0)
  await errorCard(page).getByRole('link', { name: 'Create a new album' }).click()
  await page.waitForURL('**/get-started')
})

test('an upload waits while it is offline, even if its session ends meanwhile, and while the service asks for a moment', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, context, progress, choose } = organiser
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await atSecondUpload(page, async (route) => {
    await released
    await route.abort('internetdisconnected')
  })
  await send(organiser, folder, THREE_BATCHES)
  await sees(page, '15 of 31 photos')
  await context.setOffline(true)
  release()
  await sees(page, OFFLINE)
  await context.clearCookies()
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/upload-photos')) statuses.push(response.status())
  })
  await context.setOffline(false)
  await seesToast(page, 'Upload completed!', '31 photos uploaded successfully, 0 failed')
  expect(statuses).toEqual([401, 200, 200])
  await seesSuccessPage(page)
  await expect.poll(progress).toMatchObject({ photosUploadedToS3: 31, isUploadingToS3: false })

  // One that the service asks to wait says so.
  await page.unroute(UPLOADS)
  await page.goto('/bulk-upload')
  await atSecondUpload(page, (route) =>
    route.fulfill(refusal({ code: 'TOO_MANY_REQUESTS', message: 'Slow down' }, 300)),
  )
  await choose(folder.paths(...TWO_BATCHES.map((name) => `Party/${name}`)))
  await press(page, 'Upload 16 Photos')
  await focusIsOn(page, 'div:has(> section[aria-label="Upload progress"])')
  await page.getByText(/^The service asks you to wait\. The upload goes on by itself in /).waitFor()
  await expectNoAxeFault(page)
})

test('an upload stops when the organiser logs out in another tab, and says what is missing, why, and what to do', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, album } = organiser
  await atSecondUpload(page, async (route) => {
    await page.evaluate(() => localStorage.clear())
    await page.request.post('/api/log-out', { data: {} })
    await route.continue()
  })
  const nextPage = await holdBack(page, '**/assets/upload-success*')
  await send(organiser, folder, TWO_BATCHES)
  await seesToast(page, 'Upload completed!', '15 photos uploaded successfully, 1 failed')
  const card = page.getByRole('main').getByRole('status').filter({ hasText: '15 photos uploaded' })
  await card.getByText(LOST, { exact: true }).waitFor()
  expect(await card.getByRole('list', { name: 'Files not uploaded' }).innerText()).toContain('16.jpg')
  await expectNoAxeFault(page)
  // The page does not log in again by itself.
  const call = `/api/albums/by-name/${album.albumName}`
  expect((await page.request.get(call)).status()).toBe(401)

  nextPage.letGo()
  await seesSuccessPage(page)
  await sees(page, '1 file is missing')
  await expectNoAxeFault(page)
  expect(await mainText(page)).toContain(LOST)
  expect(await page.getByRole('link', { name: 'Create a new album', exact: true }).getAttribute('href')).toBe(
    '/get-started',
  )
})

test('after an upload was left halfway the same folder sends only what is missing, and nothing that the browser keeps for that contains the owner key', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, album, chooseFolder, progress } = organiser
  const party = folder.paths('Party')[0]!
  const held = Promise.withResolvers<Route>()
  await atSecondUpload(page, async (route) => held.resolve(route))
  await chooseFolder(party)
  await organiser.upload()
  await sees(page, '15 of 20 photos')
  const rest = await held.promise

  const asked = page.waitForEvent('dialog')
  const closing = page.close({ runBeforeUnload: true })
  expect((await asked).type()).toBe('beforeunload')
  await (await asked).dismiss()
  await closing

  const dialog = page.getByRole('dialog', { name: 'Leave and stop the upload?' })
  const albums = page.getByRole('link', { name: 'Albums' }).first()
  await albums.press('Enter')
  await dialog.waitFor()
  await expectNoAxeFault(page)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Stay and go on')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Albums')
  expect(new URL(page.url()).pathname).toBe('/bulk-upload')
  await albums.click()
  await dialog.getByRole('button', { name: 'Leave the page' }).click()
  await page.waitForURL('**/albums')

  const kept = await keptForUploads(page)
  // Which photos are in the first batch depends on the file system.
  expect(kept.match(/Party\/\d+\.jpg/g)).toHaveLength(15)
  expect(kept).not.toContain(album.ownerKey.slice(0, 8))

  // Otherwise the browser lets it go on as soon as nothing holds requests back any more.
  await rest.abort()
  await page.unroute(UPLOADS)
  await page.goto('/bulk-upload')
  await sees(page, 'The last upload stopped at 15 of 20 photos')
  await chooseFolder(party)
  await sees(page, '15 of 20 photos are already uploaded; sending the other 5')
  await press(page, 'Upload 5 Photos')
  await seesToast(page, 'Upload completed!', '5 photos uploaded successfully, 0 failed')
  await expect
    .poll(progress)
    .toMatchObject({ totalPhotos: 20, photosUploadedToS3: 20, isUploadingToS3: false })
  await seesSuccessPage(page)
  await expect.poll(() => mainText(page)).toContain('5 photos are being processed')
  expect(await mainText(page)).toContain('15 more were already in the album. All photos are sent.')

  // To another album they are sent.
  const other = await site.createAlbum('Another Party')
  await organiser.becomeOrganiser(organiserOf(other))
  await page.goto('/bulk-upload')
  await chooseFolder(party)
  await page.getByRole('button', { name: 'Upload 20 Photos' }).waitFor()
  expect(await page.getByText(/already|The last upload stopped/).count()).toBe(0)
})

/** All keys and values of the browser's record of uploads, as one text. */
function keptForUploads(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => resolve(request.result)
      })
    const database = await done(indexedDB.open('inframe-uploads'))
    const photos = database.transaction('photos').objectStore('photos')
    return JSON.stringify(await Promise.all([done(photos.getAllKeys()), done(photos.getAll())]))
  })
}
