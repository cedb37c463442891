import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { givePassword } from './album-visits.ts'
import type { OwnedAlbum, Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { holdBack, sees, seesToast, type Visitor } from './visitor.ts'

const test = siteTest({ work: false })

const KEY_EXCHANGE = '**/trpc/albums.enterAsOwner**'

/** Saves an album's owner key in the browser, as /get-started does. The browser has no cookie. */
const saveKey = (visitor: Visitor, album: OwnedAlbum, ownerKey = album.ownerKey) =>
  visitor.becomeOrganiser({
    userEmail: 'owner@example.com',
    eventName: album.displayName,
    userAlbumId: ownerKey,
  })

/** The key exchanges from now on: each with its address, and its body. */
function keyExchanges(page: Page): { url: string; body: string | null }[] {
  const seen: { url: string; body: string | null }[] = []
  page.on('request', (request) => {
    if (request.url().includes('enterAsOwner')) seen.push({ url: request.url(), body: request.postData() })
  })
  return seen
}

const gate = (page: Page) => page.getByRole('heading', { name: 'Access Album' })

test('the browser that holds the owner key enters without a cookie, and never sees the gate', async ({
  page,
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Garden Party')
  await saveKey(visitor, album)
  const exchanges = keyExchanges(page)
  let visits = 0
  page.on('request', (request) => {
    if (request.url().includes('albums.visit')) visits++
  })
  const { held, letGo } = await holdBack(page, KEY_EXCHANGE)
  await page.goto(`/album/${album.albumName}`)
  await held
  await page.getByRole('status').getByText('Opening the album').waitFor()
  expect(await gate(page).count()).toBe(0)
  letGo()
  await page.getByRole('heading', { level: 1, name: 'Garden Party' }).waitFor()
  await page.getByRole('link', { name: 'Upload photos' }).waitFor()
  expect(exchanges).toEqual([
    { url: expect.not.stringContaining(album.ownerKey), body: expect.stringContaining(album.ownerKey) },
  ])
  // The key exchange answers with the album.
  expect(visits).toBe(1)

  // The session is the owner's from now on.
  const { album: seen } = (await (
    await page.request.get(`/api/albums/by-name/${album.albumName}`)
  ).json()) as {
    album: { isOwner: boolean }
  }
  expect(seen.isOwner).toBe(true)
})

test('the owner whose cookie goes while the page is open stays in', async ({ page, visitor, site }) => {
  const album = await site.createAlbum('Picnic')
  await saveKey(visitor, album)
  await page.goto(`/album/${album.albumName}`)
  await sees(page, 'Nothing has been uploaded yet')
  const enteredAgain = page.waitForResponse(KEY_EXCHANGE)
  await visitor.context.clearCookies()
  await enteredAgain
  await sees(page, 'Nothing has been uploaded yet')
  expect(await gate(page).count()).toBe(0)
})

test.for([
  ['of another album', async (site: Site) => (await site.createAlbum('Other Party')).ownerKey],
  ['of an erased album', erasedKey],
  ['that is no key at all', async () => 'nonsense'],
] as const)('a key %s leads to the gate', async ([_what, makeKey], { page, visitor, site }) => {
  const album = await site.createAlbum('Guarded Party')
  await saveKey(visitor, album, await makeKey(site))
  const exchanges = keyExchanges(page)
  await page.goto(`/album/${album.albumName}`)
  await gate(page).waitFor()
  expect(exchanges).toHaveLength(1)
  await givePassword(page, album.password)
  await seesToast(page, 'Access granted!', 'Welcome to Guarded Party')
  await sees(page, 'Nothing has been uploaded yet')
  expect(exchanges).toHaveLength(1)
})

test('where the exchange fails, the gate is shown', async ({ page, visitor, site }) => {
  const album = await site.createAlbum('Lake Party')
  await saveKey(visitor, album)
  await page.route(KEY_EXCHANGE, (route) => route.abort())
  await page.goto(`/album/${album.albumName}`)
  await gate(page).waitFor()
})

test('where the code that keeps the key does not come, the owner enters all the same', async ({
  page,
  visitor,
  site,
}) => {
  const album = await site.createAlbum('River Party')
  await saveKey(visitor, album)
  await page.route('**/keep-key-*.js', (route) => route.abort())
  await page.goto(`/album/${album.albumName}`)
  await page.getByText(/^This browser did not keep the key to your album/).waitFor()
})

test('a guest who holds the owner key becomes the owner', async ({ page, visitor, site }) => {
  const album = await site.createAlbum('Barn Party')
  await page.request.post(`/api/albums/${album.albumName}/authenticate`, {
    data: { password: album.password },
  })
  await saveKey(visitor, album)
  await page.goto(`/album/${album.albumName}`)
  await page.getByRole('link', { name: 'Upload photos' }).waitFor()
})

test('an ordinary guest asks for nothing but the album', async ({ page, site }) => {
  const album = await site.createAlbum('Beach Party')
  await page.request.post(`/api/albums/${album.albumName}/authenticate`, {
    data: { password: album.password },
  })
  const exchanges = keyExchanges(page)
  await page.goto(`/album/${album.albumName}`)
  await sees(page, 'The album opens by itself when the organiser has uploaded the photos.')
  expect(exchanges).toEqual([])
})

test.for([
  ['holds no key', null],
  ['holds the key of another album', (site: Site) => site.createAlbum('Newer Party')],
] as const)(
  'the owner, in a browser with a session that %s, gets a key, and goes on to upload with it',
  async ([_what, saved], { page, visitor, site }) => {
    const album = await site.createAlbum('Older Party')
    if (saved) await saveKey(visitor, await saved(site))
    await visitor.signInAs(album.owner)
    await page.goto(`/album/${album.albumName}`)
    await page.getByRole('link', { name: 'Upload photos' }).click()
    await sees(page, 'Older Party')
    // Without the cookie, the key is all that is left.
    await page.context().clearCookies()
    await page.goto(`/album/${album.albumName}`)
    await page.getByRole('link', { name: 'Upload photos' }).waitFor()
  },
)

test('where the call for a key fails, the owner reads how to upload', async ({ page, visitor, site }) => {
  const album = await site.createAlbum('Moor Party')
  await visitor.signInAs(album.owner)
  await page.route('**/trpc/albums.browserKey*', (route) => route.abort())
  await page.goto(`/album/${album.albumName}`)
  await sees(
    page,
    'To add photos, use the browser in which you created this album, or open your private link in this one.',
  )
})

test('the upload page of a named album opens without a key for a session of its owner, and for nobody else', async ({
  page,
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Lake Party')
  await visitor.signInAs(album.owner)
  await page.goto(`/bulk-upload?album=${album.albumName}`)
  await sees(page, 'Lake Party')
  expect(await page.evaluate(() => localStorage.getItem('userAlbumSlug'))).toBe(album.albumName)
  // A page of the web app may still get an answer with a cookie.
  await page.waitForLoadState('networkidle')
  await page.goto('/healthz')
  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies()
  await page.goto(`/bulk-upload?album=${album.albumName}`)
  await page.waitForURL('**/get-started')
})

test('the owner of an empty album goes on to upload to it', async ({ page, visitor, site }) => {
  const album = await site.createAlbum('Forest Party')
  await saveKey(visitor, album)
  await page.goto(`/album/${album.albumName}`)
  await sees(page, 'Nothing has been uploaded yet')
  expect(await page.getByText('still being processed').count()).toBe(0)
  await page.getByRole('link', { name: 'Upload photos' }).click()
  await page.waitForURL(`**/bulk-upload?album=${album.albumName}`)
  await sees(page, 'Forest Party')
})

async function erasedKey(site: Site): Promise<string> {
  const { owner, ownerKey } = await site.createAlbum('Brief Party')
  await owner.delete(`/api/albums/${ownerKey}`)
  return ownerKey
}
