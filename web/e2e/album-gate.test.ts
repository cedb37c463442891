import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { RATE_LIMITS } from '../../src/albums/rate-limits.ts'
import { showInList } from '../../src/testing/album-rows.ts'
import { createClient, readSample } from '../../src/testing/client.ts'
import { enterAsGuest, enterAsOwner, givePassword, searchWith } from './album-visits.ts'
import { siteTest } from './site-test.ts'
import { holdBack, sees, seesToast } from './visitor.ts'

const WRONG_PASSWORDS = 6

const UNKNOWN_NAMES = 20

const wrongPassword = { ...RATE_LIMITS.wrongPassword, perAddress: WRONG_PASSWORDS }
const unknownName = { ...RATE_LIMITS.unknownName, perAddress: UNKNOWN_NAMES }
const test = siteTest({ work: false, limits: { ...RATE_LIMITS, wrongPassword, unknownName } }).extend(
  'album',
  { scope: 'file' },
  ({ site }) => site.createAlbum('Garden Party'),
)

const VISIT = '**/trpc/albums.visit**'
const AUTHENTICATE = '**/trpc/albums.authenticate**'

test('while the page looks for the album, it says so', async ({ page, album }) => {
  const { letGo } = await holdBack(page, VISIT)
  await page.goto(`/album/${album.albumName}`)
  await page.getByRole('status').getByText('Opening the album').waitFor()
  letGo()
  await page.getByRole('heading', { name: 'Access Album' }).waitFor()
})

test('an unknown album is not found', async ({ page }) => {
  await page.goto('/album/nobody-knows-it')
  await page.getByRole('heading', { level: 1, name: 'Album Not Found' }).waitFor()
  await sees(page, 'This album does not exist or has not been processed yet.')
  await page.getByRole('link', { name: 'Browse Photo Albums' }).click()
  await page.waitForURL('**/albums')
})

test('without a network the page says so, and it opens when the network is back', async ({
  page,
  visitor,
  site,
  album,
}) => {
  await showInList(site.database.db, [album.albumName])
  const other = await site.createAlbum('Tunnel Party')
  await page.goto(`/album/${other.albumName}`)
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Albums' }).click()
  const link = page.getByRole('link', { name: 'Find My Photos in Garden Party' })
  await link.waitFor()
  await visitor.context.setOffline(true)
  await link.click()
  await sees(page, 'The service could not be reached. Please check your internet connection.')
  await visitor.context.setOffline(false)
  await page.getByRole('heading', { name: 'Access Album' }).waitFor()
})

test('the gate has one password field and says whom to ask', async ({ page, album }) => {
  await page.goto(`/album/${album.albumName}`)
  await page.getByRole('heading', { level: 1, name: 'Access Album' }).waitFor()
  await sees(page, 'Garden Party')
  await sees(page, 'No password? Please contact the album owner.')
  expect(await page.locator('main input').count()).toBe(1)
  expect(await page.getByLabel('Album password').getAttribute('type')).toBe('password')
  expect(await page.title()).toBe('Garden Party · Inframe')
})

test('the password can be shown while it is typed, and is hidden again when it is sent', async ({
  page,
  album,
}) => {
  await page.goto(`/album/${album.albumName}`)
  const field = page.getByLabel('Album password')
  const show = page.getByRole('button', { name: 'Show password' })
  const hide = page.getByRole('button', { name: 'Hide password' })
  await field.fill('wrong')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await show.click()
  await hide.waitFor()
  expect(await field.getAttribute('type')).toBe('text')
  expect(await field.getAttribute('autocomplete')).toBe('current-password')
  expect((await hide.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await page.keyboard.type('-')
  expect(await field.inputValue()).toBe('w-rong')

  await page.keyboard.press('Enter')
  await seesToast(page, 'Access denied', 'Invalid password')
  await show.waitFor()
  expect(await field.getAttribute('type')).toBe('password')
  await hasFocus(page, 'password')

  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  expect(await hide.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await field.getAttribute('type')).toBe('text')
})

test('an empty password is not sent', async ({ page, album }) => {
  let sent = 0
  await page.route(AUTHENTICATE, (route) => {
    sent++
    return route.continue()
  })
  await page.goto(`/album/${album.albumName}`)
  await givePassword(page, '   ')
  await seesToast(page, 'Missing information', 'Please enter the album password')
  expect(sent).toBe(0)
  await hasFocus(page, 'password')
})

test('a wrong password is refused, and the field is ready for another try', async ({ page, album }) => {
  await page.goto(`/album/${album.albumName}`)
  await givePassword(page, 'wrong')
  await seesToast(page, 'Access denied', 'Invalid password')
  await hasFocus(page, 'password')
  await page.keyboard.type(album.password)
  await page.keyboard.press('Enter')
  await seesToast(page, 'Access granted!', 'Welcome to Garden Party')
})

test('a refusal without a sentence is called an invalid password', async ({ page, album }) => {
  const refusal = { error: { message: '', code: -32001, data: { code: 'UNAUTHORIZED', httpStatus: 401 } } }
  await page.route(AUTHENTICATE, (route) => route.fulfill({ status: 401, json: refusal }))
  await page.goto(`/album/${album.albumName}`)
  await givePassword(page, 'wrong')
  await seesToast(page, 'Access denied', 'Invalid password')
})

test.for([
  ['the network is gone', (tested: Page) => tested.route(AUTHENTICATE, (route) => route.abort())],
  [
    'the service answers 502 and a page of HTML',
    (tested: Page) =>
      tested.route(AUTHENTICATE, (route) =>
        route.fulfill({ status: 502, contentType: 'text/html', body: '<html>Bad gateway</html>' }),
      ),
  ],
  [
    'the service answers 500',
    (tested: Page) =>
      tested.route(AUTHENTICATE, (route) =>
        route.fulfill({
          status: 500,
          json: { error: { message: 'x', code: -32603, data: { code: 'X', httpStatus: 500 } } },
        }),
      ),
  ],
] as const)(
  'where %s, the page does not say that the password is wrong',
  async ([_what, fail], { page, album }) => {
    await page.goto(`/album/${album.albumName}`)
    await fail(page)
    await givePassword(page, album.password)
    await seesToast(page, 'Error', 'Failed to authenticate. Please try again.')
    await page.unroute(AUTHENTICATE)
    await page.getByRole('button', { name: 'Access Album' }).click()
    await seesToast(page, 'Access granted!', 'Welcome to Garden Party')
  },
)

test("after too many wrong passwords the service's own sentence is shown, and the right one opens the album", async ({
  page,
  album,
  site,
}) => {
  // All tests call from the same address.
  onTestFinished(async () => void (await site.database.db.deleteFrom('rate_limits').execute()))
  await page.goto(`/album/${album.albumName}`)
  const refused = 'Too many wrong passwords. Only the right one is accepted now. Please check it.'
  for (let attempt = 0; attempt < WRONG_PASSWORDS; attempt++)
    await page.request.post(`/api/albums/${album.albumName}/authenticate`, { data: { password: 'wrong' } })
  await givePassword(page, 'wrong')
  await seesToast(page, 'Access denied', refused)
  await givePassword(page, album.password)
  await seesToast(page, 'Access granted!', 'Welcome to Garden Party')
})

test('the right password opens the album, and the focus moves to the content', async ({
  page,
  visitor,
  site,
}) => {
  const other = await site.createAlbum('Lake Party')
  await enterAsGuest(visitor, other)
  await page.getByRole('heading', { level: 1, name: 'Lake Party' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
})

test('the page is hidden from search engines while it is open, and only then', async ({ page, album }) => {
  const response = await page.goto(`/album/${album.albumName}`)
  expect(response?.headers()['x-robots-tag']).toBe('noindex, nofollow')
  const mark = page.locator('meta[name=robots]')
  await page.getByRole('heading', { name: 'Access Album' }).waitFor()
  expect(await mark.getAttribute('content')).toBe('noindex, nofollow')
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Albums' }).click()
  await page.getByRole('heading', { name: 'Browse Photo Albums' }).waitFor()
  expect(await mark.count()).toBe(0)
  expect(await page.title()).toBe('Browse Photo Albums · Inframe')
})

test("an album that is erased while its page is open becomes 'Album Not Found'", async ({
  page,
  visitor,
  site,
}) => {
  const brief = await site.createAlbum('Brief Party')
  await enterAsOwner(visitor, brief)
  await sees(page, 'Step 1: Uploading to the cloud')
  await brief.owner.delete(`/api/albums/${brief.ownerKey}`)
  await page.getByRole('heading', { name: 'Album Not Found' }).waitFor()
})

test("an album that was erased becomes 'Album Not Found' when a guest searches it", async ({
  page,
  visitor,
  site,
}) => {
  const brief = await site.createAlbum('Brief Party')
  await site.database.db
    .updateTable('albums')
    .set({ photos_stored: 1, photos_settled: 1, completed_at: new Date() })
    .where('slug', '=', brief.albumName)
    .execute()
  await enterAsGuest(visitor, brief)
  await page.route('**/api/search-in-album', async (route) => {
    await brief.owner.delete(`/api/albums/${brief.ownerKey}`)
    await route.continue()
  })
  await searchWith(page, { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await readSample(1) })
  await page.getByRole('heading', { name: 'Album Not Found' }).waitFor()
})

async function hasFocus(page: Page, name: string): Promise<void> {
  await page.waitForFunction((wanted) => document.activeElement?.getAttribute('name') === wanted, name)
}

const INSIDE_INSTAGRAM = {
  iPhone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 390.0.0.28.85 (iPhone15,2; iOS 18_5; en_GB)',
  Android:
    'Mozilla/5.0 (Linux; Android 15; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36 Instagram 390.0.0.43.81 Android (35/15; 420dpi)',
}

test('inside Instagram on an iPhone the gate says how to open it in the browser, and the password still works', async ({
  visit,
  album,
  site,
}) => {
  const { page, context } = await visit({ device: 'phone', userAgent: INSIDE_INSTAGRAM.iPhone })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/album/${album.albumName}`)
  await sees(page, 'Open this page in your browser')
  await page.getByText(/^Instagram opens it in its own browser/).waitFor()
  await page.getByRole('button', { name: 'Copy link' }).tap()
  await seesToast(page, 'Copied the link')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${site.url}/album/${album.albumName}`,
  )
  expect(await page.getByRole('link', { name: 'Open in browser' }).count()).toBe(0)
  await givePassword(page, album.password)
  await seesToast(page, 'Access granted!')
})

test('inside Instagram on Android a button opens the page in the browser', async ({ visit, album, site }) => {
  const { page } = await visit({ device: 'phone', userAgent: INSIDE_INSTAGRAM.Android })
  await page.goto(`/album/${album.albumName}`)
  const address = await page.getByRole('link', { name: 'Open in browser' }).getAttribute('href')
  expect(address).toMatch(`intent://${new URL(site.url).host}/album/${album.albumName}#Intent;scheme=http;`)
})

test("in the visitor's own browser the gate says nothing about browsers", async ({ page, album }) => {
  await page.goto(`/album/${album.albumName}`)
  await page.getByRole('heading', { name: 'Access Album' }).waitFor()
  expect(await page.getByText('Open this page in your browser').count()).toBe(0)
})

test('when somebody at the same address has tried too many names, the password still opens the album', async ({
  page,
  site,
}) => {
  const other = await site.createAlbum('Boat Party')
  const stranger = createClient(site.url)
  const lookUp = (name: string) => stranger.get(`/api/albums/auth-status/${name}`)
  for (let name = 0; name <= UNKNOWN_NAMES; name++) await lookUp(`guessed-${name}`)
  expect((await lookUp(other.albumName)).status).toBe(429)

  await page.goto(`/album/${other.albumName}`)
  await page.getByRole('heading', { level: 1, name: 'Access Album' }).waitFor()
  await givePassword(page, other.password)
  await seesToast(page, 'Access granted!', 'Welcome to Boat Party')
  expect((await lookUp(other.albumName)).body).toMatchObject({ albumExists: true })
})
