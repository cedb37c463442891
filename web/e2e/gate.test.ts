import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ownerLink } from '../../src/contract/albums/owner-link.ts'
import { createClient } from '../../src/testing/client.ts'
import { enterAsGuest, enterAsOwner, givePassword } from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import { installClock } from './page-clock.ts'
import { refuse } from './refusals.ts'
import type { OwnedAlbum } from './site.ts'
import { siteTest } from './site-test.ts'
import { holdBack, organiserOf, sees, seesToast, type Visitor } from './visitor.ts'

const test = siteTest({ work: false })

const AUTHENTICATE = '**/trpc/albums.authenticate**'
const KEY_EXCHANGE = '**/trpc/albums.enterAsOwner**'
const BROWSER_KEY = '**/trpc/albums.browserKey*'

const INSTAGRAM_ON_ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36 Instagram 390.0.0.43.81 Android (35/15; 420dpi)'

/** Saves an album's owner key in the browser. The browser has no cookie. */
const saveKey = (visitor: Visitor, album: OwnedAlbum) => visitor.becomeOrganiser(organiserOf(album))
const savedKey = (page: Page) => page.evaluate(() => localStorage.getItem('userAlbumId'))

/** The addresses that contain this, of the requests from now on. */
function requestsOf(page: Page, part: string): string[] {
  const seen: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(part)) seen.push(request.url())
  })
  return seen
}

/** The page's instruction for search engines. */
const robots = (page: Page) => page.locator('meta[name=robots]')
const gate = (page: Page) => page.getByRole('heading', { name: 'Access Album' })
const logOut = (page: Page) => page.getByRole('button', { name: 'Log out', exact: true })
const logOutDialog = (page: Page) => page.getByRole('dialog', { name: 'Log out as the organiser?' })
const confirmLogOut = (page: Page) => logOutDialog(page).getByRole('button', { name: 'Log out' }).click()
const uploadLink = (page: Page) => page.getByRole('link', { name: 'Upload photos' })
/** On the organiser's desk. */
const addLink = (page: Page) => page.getByRole('link', { name: 'Add photos' })

async function hasFocus(page: Page, name: string): Promise<void> {
  await page.waitForFunction((wanted) => document.activeElement?.getAttribute('name') === wanted, name)
}

test('a guest reads at the gate why a password is refused, enters with the right one, comes back without it, and logs out', async ({
  visit,
  site,
}) => {
  const album = await site.createAlbum('Garden Party')
  const { page } = await visit({ device: 'phone' })
  const attempts = requestsOf(page, 'albums.authenticate')
  await page.goto(`/album/${album.albumName}`)
  await gate(page).waitFor()
  await expect.poll(() => page.title()).toBe('Garden Party · Inframe')
  expect(await robots(page).getAttribute('content')).toBe('noindex, nofollow')
  await sees(page, 'No password? Please contact the album owner.')
  expect(await page.locator('main input').count()).toBe(1)
  expect(await page.getByText('Open this page in your browser').count()).toBe(0)
  await expectNoAxeFault(page)

  await givePassword(page, '   ')
  await seesToast(page, 'Missing information')
  await hasFocus(page, 'password')
  expect(attempts).toEqual([])

  // The network is gone: nobody has said that the password is wrong.
  await page.route(AUTHENTICATE, (route) => route.abort())
  await givePassword(page, album.password)
  await seesToast(page, 'Error', 'Failed to authenticate. Please try again.')
  await page.unroute(AUTHENTICATE)

  const field = page.getByLabel('Album password')
  const show = page.getByRole('button', { name: 'Show password' })
  await field.fill('wrong')
  await show.click()
  await expect.poll(() => field.getAttribute('type')).toBe('text')
  await page.getByRole('button', { name: 'Access Album' }).click()
  await seesToast(page, 'Access denied', 'Invalid password')
  await page.getByRole('main').getByText('Invalid password', { exact: true }).waitFor()
  await sees(
    page,
    'Are you the organiser? Copy the whole private link from your letter, also what stands behind the #.',
  )
  await show.waitFor()
  expect(await field.getAttribute('type')).toBe('password')
  await hasFocus(page, 'password')
  await expectNoAxeFault(page)

  await page.keyboard.type(album.password)
  await page.keyboard.press('Enter')
  await seesToast(page, 'Access granted!', 'Welcome to Garden Party')
  await page.getByRole('heading', { level: 1, name: 'Garden Party' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')

  await page.goto('about:blank')
  const calls = requestsOf(page, '/trpc/')
  await page.goto(`/album/${album.albumName}`)
  await sees(page, 'The album opens by itself when the organiser has uploaded the photos.')
  // One call brings all that the page shows, besides the progress.
  const names = calls.map((url) => /trpc\/([\w.]+)/.exec(url)![1])
  expect(names.filter((name) => name !== 'albums.progress')).toEqual(['albums.visit'])
  await logOut(page).click()
  await seesToast(page, 'Logged out', 'You have left Garden Party')
  await gate(page).waitFor()
  expect(await page.getByText('Please enter the password again').count()).toBe(0)
  await page.reload()
  await gate(page).waitFor()
})

test('behind a network that has tried too many names, the password opens the album all the same', async ({
  page,
  site,
}) => {
  const album = await site.createAlbum('Crowded Hall')
  const VISIT = '**/trpc/albums.visit*'
  await refuse(page, VISIT, { code: 'TOO_MANY_REQUESTS', message: 'Too many names of albums.' })
  await page.goto(`/album/${album.albumName}`)
  await gate(page).waitFor()
  await page.unroute(VISIT)
  await givePassword(page, album.password)
  await page.getByRole('heading', { name: 'Crowded Hall' }).waitFor()
})

test('inside Instagram a button opens the page in the browser', async ({ visit, site }) => {
  const album = await site.createAlbum('Lake Party')
  const { page } = await visit({ device: 'phone', userAgent: INSTAGRAM_ON_ANDROID })
  await page.goto(`/album/${album.albumName}`)
  await sees(page, 'Open this page in your browser')
  await expectNoAxeFault(page)
  const address = await page.getByRole('link', { name: 'Open in browser' }).getAttribute('href')
  expect(address).toMatch(`intent://${new URL(site.url).host}/album/${album.albumName}#Intent;scheme=http;`)
})

test('an album that does not exist is not found, and one that is erased while its page is open is gone', async ({
  visitor,
  site,
}) => {
  const { page } = visitor
  await page.goto('/album/nobody-knows-it')
  await page.getByRole('heading', { level: 1, name: 'Album Not Found' }).waitFor()
  await expectNoAxeFault(page)
  await page.getByRole('link', { name: 'Browse Photo Albums' }).click()
  await page.getByRole('heading', { name: 'Browse Photo Albums' }).waitFor()
  // An album's page is hidden from search engines, and only while it is open.
  await robots(page).waitFor({ state: 'detached' })

  const brief = await site.createAlbum('Brief Party')
  await enterAsOwner(visitor, brief)
  await sees(page, 'Step 1: Uploading to the cloud')
  await brief.owner.delete(`/api/albums/${brief.ownerKey}`)
  await page.getByRole('heading', { name: 'Album Not Found' }).waitFor()
})

test('the browser that holds the owner key never sees the gate, until the owner logs out', async ({
  visitor,
  site,
}) => {
  const album = await site.createAlbum('River Party')
  const { page, context } = visitor
  await saveKey(visitor, album)
  const exchanges = requestsOf(page, 'enterAsOwner')
  const { held, letGo } = await holdBack(page, KEY_EXCHANGE)
  await page.goto(`/album/${album.albumName}`)
  await held
  await page.getByRole('status').getByText('Opening the album').waitFor()
  expect(await gate(page).count()).toBe(0)
  letGo()
  await page.getByRole('heading', { level: 1, name: 'River Party' }).waitFor()
  await uploadLink(page).waitFor()
  await expectNoAxeFault(page)
  expect(exchanges).toHaveLength(1)
  const whoAmI = async () => {
    const seen = await page.request.get(`/api/albums/by-name/${album.albumName}`)
    return seen.ok() ? (await seen.json()).album.isOwner : seen.status()
  }
  expect(await whoAmI()).toBe(true)

  await logOut(page).click()
  const link = `${site.url}${ownerLink(album.albumName, album.ownerKey)}`
  await logOutDialog(page).getByText(link).waitFor()
  await expectNoAxeFault(page)
  await page.keyboard.press('Escape')
  await expect.poll(() => logOutDialog(page).count()).toBe(0)
  await page.route('**/trpc/albums.logOut**', (route) => route.abort())
  await logOut(page).click()
  await confirmLogOut(page)
  await seesToast(page, 'Could not log out')
  expect(await savedKey(page)).toBe(album.ownerKey)

  // In another tab. This one is logged out, too, and does not enter again with the key.
  const other = await context.newPage()
  await other.goto(`/album/${album.albumName}`)
  await logOut(other).click()
  await confirmLogOut(other)
  await gate(other).waitFor()
  await gate(page).waitFor()
  expect(await savedKey(page)).toBeNull()
  expect(await whoAmI()).toBe(401)
  await page.reload()
  await gate(page).waitFor()
  await page.goto('/bulk-upload')
  await page.waitForURL('**/get-started')
})

test('a key that does not fit leads to the gate; the right one makes an owner of a guest; a former one says so', async ({
  visitor,
  site,
}) => {
  const { page } = visitor
  const album = await site.createAlbum('Barn Party')
  const other = await site.createAlbum('Forest Party')
  const path = `/album/${album.albumName}`
  const exchanges = requestsOf(page, 'enterAsOwner')
  // Saved by a browser that did not know the name of its album.
  await visitor.becomeOrganiser({
    userEmail: 'owner@example.com',
    eventName: 'Some Party',
    userAlbumId: other.ownerKey,
  })
  await page.goto(path)
  await gate(page).waitFor()
  expect(await page.getByText('You are no longer the organiser here').count()).toBe(0)
  expect(exchanges).toHaveLength(1)
  await enterAsGuest(visitor, album)
  await sees(page, 'Nothing has been uploaded yet')
  expect(await uploadLink(page).count()).toBe(0)

  await saveKey(visitor, album)
  await page.goto(path)
  await uploadLink(page).waitFor()

  const { body } = await createClient(site.url).post(`/api/albums/${album.ownerKey}/owner-key`, {})
  await page.goto(path)
  await sees(page, 'You are no longer the organiser here')
  await page.goto(ownerLink(album.albumName, body.ownerKey))
  await addLink(page).waitFor()
  expect(await savedKey(page)).toBe(body.ownerKey)
})

test('where the exchange of the key fails, the gate is shown; an owner by cookie reads how to come back, or gets a key again', async ({
  visitor,
  site,
}) => {
  const { page } = visitor
  const album = await site.createAlbum('Beach Party')
  const newer = await site.createAlbum('Newer Party')
  await saveKey(visitor, album)
  await page.route(KEY_EXCHANGE, (route) => route.abort())
  await page.goto(`/album/${album.albumName}`)
  await gate(page).waitFor()
  await page.unroute(KEY_EXCHANGE)

  await saveKey(visitor, newer)
  await page.route(BROWSER_KEY, (route) => route.abort())
  await enterAsOwner(visitor, album)
  await sees(
    page,
    'To add photos, use the browser in which you created this album, or open your private link in this one.',
  )
  expect(await uploadLink(page).count()).toBe(0)
  await logOut(page).click()
  await logOutDialog(page)
    .getByText(/^To come back as the organiser, use the browser/)
    .waitFor()
  await confirmLogOut(page)
  await gate(page).waitFor()
  // The key of another album stays.
  expect(await savedKey(page)).toBe(newer.ownerKey)

  // A browser that has lost what it saved, and not the cookie, gets a key again: in the album, and on its upload page.
  await page.unroute(BROWSER_KEY)
  const lost = await site.createAlbum('Harbour Party')
  await enterAsOwner(visitor, lost)
  await uploadLink(page).click()
  await sees(page, 'Harbour Party')
  // Without the cookie, the key is all that is left.
  await page.goto('/healthz')
  await page.context().clearCookies()
  await page.goto(`/album/${lost.albumName}`)
  await uploadLink(page).waitFor()

  await page.goto('/healthz')
  await page.evaluate(() => localStorage.clear())
  await page.goto(`/bulk-upload?album=${lost.albumName}`)
  await sees(page, 'Harbour Party')
  expect(await page.evaluate(() => localStorage.getItem('userAlbumSlug'))).toBe(lost.albumName)
})

test('an album that is not open says when it opens, opens by itself, and says when it was closed', async ({
  visit,
  site,
}) => {
  const album = await site.createAlbum('Opening Night')
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const setTimes = (times: object) => album.owner.post(`/api/albums/${album.ownerKey}/settings`, times)
  await setTimes({ opensAt: inHours(1) })
  const { page } = await visit({ device: 'phone' })
  const clock = await installClock(page)
  await page.goto(`/album/${album.albumName}`)
  await givePassword(page, album.password)
  const waits = page.getByRole('heading', { name: /^This album opens on / })
  await waits.waitFor()
  await expectNoAxeFault(page)
  await page.reload()
  await waits.waitFor()
  await setTimes({ opensAt: inHours(-1) })
  await clock.pass(60_000)
  await page.getByRole('heading', { name: 'Opening Night' }).waitFor()
  await setTimes({ closesAt: inHours(-0.5) })
  // The page asks for the progress of an album that is not complete.
  await clock.pass(2_000)
  await page.getByRole('heading', { name: 'The organiser has closed this album' }).waitFor()
})
