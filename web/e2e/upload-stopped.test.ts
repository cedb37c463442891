import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { faultAt, type OrganiserAtWork, organiserAtWork, seesSuccessPage, UPLOADS } from './organiser.ts'
import { numbered, type PhotoFolder, photoFolder } from './photo-folder.ts'
import type { Site } from './site.ts'
import { siteTest, type Visit } from './site-test.ts'
import { toastsOf } from './toasts.ts'
import { sees, seesToast } from './visitor.ts'

const ALL = Object.keys(numbered(31))

const test = siteTest({ work: false }).extend('folder', { scope: 'file' }, photoFolder(numbered(31)))

const GONE = 'This album no longer exists. Please create a new one.'
const FORBIDDEN =
  "This browser may no longer add photos to this album. You have logged out, or the album has a new owner key. Open the album's private link, or create a new album."
const BUSY =
  'The service is too busy and asks you to come back in 60 minutes. Then choose the same photos again: uploaded photos are kept, and only the missing ones will be sent.'
const LETTER = 'We will notify you at'

/** An organiser whose batches are answered like this after the first of three. */
async function stoppedAfterOneBatch(visit: Visit, site: Site, folder: PhotoFolder, status: number) {
  const organiser = await organiserAtWork(visit, site)
  const { page, choose, upload } = organiser
  await page.route(
    UPLOADS,
    faultAt(
      (order) => order >= 2,
      (route) => route.fulfill({ status, headers: { 'retry-after': '3600' }, json: { error: 'No' } }),
    ),
  )
  await choose(folder.paths(...ALL))
  await upload()
  return organiser
}

/** Uploads all photos. What happens to the second of three batches is up to the test. */
async function uploadWith(
  { page, choose, upload }: OrganiserAtWork,
  folder: PhotoFolder,
  secondBatch: (route: Route) => Promise<void>,
): Promise<void> {
  await page.route(
    UPLOADS,
    faultAt((order) => order === 2, secondBatch),
  )
  await choose(folder.paths(...ALL))
  await upload()
}

const mainText = (page: Page) => page.getByRole('main').innerText()
/** The list may be folded. */
const namesMissing = (page: Page) =>
  page.locator('[aria-label="Photos not uploaded"] li > span').allTextContents()

test.for([
  [401, FORBIDDEN, 'Create a new album', '/get-started', true],
  [403, FORBIDDEN, 'Create a new album', '/get-started', true],
  [404, GONE, 'Create a new album', '/get-started', false],
  [410, GONE, 'Create a new album', '/get-started', false],
  [429, BUSY, 'Upload more photos to this album', '/bulk-upload?album=garden-party', true],
] as const)(
  'after one stored batch an answer of %i is a success that names what is missing, why, and what to do',
  async ([status, why, wayOn, address, expectsLetter], { visit, site, folder }) => {
    const { page, album } = await stoppedAfterOneBatch(visit, site, folder, status)
    await seesToast(page, 'Upload completed!', '15 photos uploaded successfully, 16 failed')
    expect(await toastsOf(page)).toHaveLength(1)
    const card = page.getByRole('main').getByRole('status').filter({ hasText: '15 photos uploaded' })
    await card.getByText(`16 photos are missing. ${why}`, { exact: true }).waitFor()
    expect(await namesMissing(page)).toEqual(ALL.slice(15))
    await sees(page, '15 of 31 photos')

    await seesSuccessPage(page)
    await page.getByRole('heading', { name: 'Upload Started Successfully!' }).waitFor()
    await sees(page, '16 photos are missing')
    expect(await mainText(page)).toContain(why)
    expect(await namesMissing(page)).toEqual(ALL.slice(15))
    expect(await page.getByRole('link', { name: wayOn, exact: true }).getAttribute('href')).toBe(
      address.replace('garden-party', album.albumName),
    )
    expect((await mainText(page)).includes(LETTER)).toBe(expectsLetter)
    expect(await page.getByRole('link', { name: 'Watch progress' }).count()).toBe(expectsLetter ? 1 : 0)
  },
)

test('an album that was erased before the first batch ends the upload and offers to create a new one', async ({
  visit,
  site,
  folder,
}) => {
  const { page, album, choose, upload } = await organiserAtWork(visit, site)
  await choose(folder.paths('1.jpg', '2.jpg'))
  await sees(page, '2 photos selected')
  await album.owner.delete(`/api/albums/${album.ownerKey}`)
  await upload()
  await seesToast(page, 'Upload Failed', GONE)
  expect(await toastsOf(page)).toHaveLength(1)
  const card = page.getByRole('main').getByRole('alert')
  await expect.poll(() => card.evaluate((it) => it.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
  expect(await page.getByRole('button', { name: /^Upload / }).count()).toBe(0)
  expect(await page.locator('input[type=file]').count()).toBe(0)
  await card.getByRole('link', { name: 'Create a new album' }).click()
  await page.waitForURL('**/get-started')
  await page.goto('/bulk-upload')
  await sees(page, 'Drop photos or folders here')
  expect(await page.getByText('The last upload stopped').count()).toBe(0)
})

test('photos that this browser uploaded before do not look like a success in an album that was erased', async ({
  visit,
  site,
  folder,
}) => {
  const { page, album, choose, upload } = await organiserAtWork(visit, site)
  await choose(folder.paths('1.jpg', '2.jpg'))
  await upload()
  await seesSuccessPage(page)
  await album.owner.delete(`/api/albums/${album.ownerKey}`)

  await page.goto('/bulk-upload')
  await choose(folder.paths('1.jpg', '2.jpg'))
  await sees(page, 'All 2 photos are already in the album')
  await upload()
  await seesToast(page, 'Upload Failed', GONE)
  expect(await mainText(page)).not.toContain('already in the album')
  expect(await page.getByRole('button', { name: /^Upload / }).count()).toBe(0)
  await page.getByRole('link', { name: 'Create a new album' }).waitFor()
})

test('an upload goes on when its session ends, because the browser holds the key', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, context } = organiser
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/upload-photos')) statuses.push(response.status())
  })
  await uploadWith(organiser, folder, async (route) => {
    await context.clearCookies()
    await route.fulfill({ status: 401, json: { error: 'No' } })
  })
  await seesToast(page, 'Upload completed!', '31 photos uploaded successfully, 0 failed')
  expect(statuses).toEqual([200, 401, 200, 200])
})

test('an upload stops after a new owner key was made elsewhere, and says so', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, album } = organiser
  await uploadWith(organiser, folder, async (route) => {
    await album.owner.post(`/api/albums/${album.ownerKey}/owner-key`, {})
    await route.continue()
  })
  await seesToast(page, 'Upload completed!', '15 photos uploaded successfully, 16 failed')
  await seesSuccessPage(page)
  await expect.poll(() => mainText(page)).toContain(FORBIDDEN)
})

test('an upload stops when the organiser logs out in another tab, and does not log in again', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, album } = organiser
  await uploadWith(organiser, folder, async (route) => {
    await page.evaluate(() => localStorage.clear())
    await page.request.post('/api/log-out', { data: {} })
    await route.fulfill({ status: 401, json: { error: 'No' } })
  })
  await seesToast(page, 'Upload completed!', '15 photos uploaded successfully, 16 failed')
  expect((await page.request.get(`/api/albums/by-name/${album.albumName}`)).status()).toBe(401)
})

test('the check whether the album still exists waits for the network, and the page says so', async ({
  visit,
  site,
  folder,
}) => {
  const { page, context, choose, upload } = await organiserAtWork(visit, site)
  await choose(folder.paths('1.jpg'))
  await upload()
  await seesSuccessPage(page)
  await page.goto('/bulk-upload')
  await choose(folder.paths('1.jpg'))
  await sees(page, 'This photo is already in the album')
  await context.setOffline(true)
  await upload()
  await sees(page, 'You are offline. The upload goes on by itself when the connection is back.')
  await context.setOffline(false)
  await seesToast(page, 'Already in the album', '1 photo is already in the album')
})

test('when the service cannot say whether the album still exists, nothing is claimed and it can be tried again', async ({
  visit,
  site,
  folder,
}) => {
  const { page, choose, upload } = await organiserAtWork(visit, site)
  await choose(folder.paths('1.jpg'))
  await upload()
  await seesSuccessPage(page)
  await page.goto('/bulk-upload')
  await choose(folder.paths('1.jpg'))
  await page.route('**/trpc/albums.progress**', (route) =>
    route.fulfill({ status: 502, body: 'Bad gateway' }),
  )
  await upload()
  await seesToast(page, 'Upload Failed')
  await sees(page, 'Please try again or check your internet connection')
  await page.unroute('**/trpc/albums.progress**')
  await upload()
  await seesToast(page, 'Already in the album', '1 photo is already in the album')
})
