import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ownerLink } from '../../src/contract/owner-link.ts'
import { createClient } from '../../src/testing/client.ts'
import { enterAsGuest, enterAsOwner } from './album-visits.ts'
import type { OwnedAlbum } from './site.ts'
import { siteTest } from './site-test.ts'
import { sees, seesToast, type Visitor } from './visitor.ts'

const test = siteTest({ work: false })

const saveKey = (visitor: Visitor, { displayName, ownerKey, albumName }: OwnedAlbum) =>
  visitor.becomeOrganiser({
    userEmail: 'owner@example.com',
    eventName: displayName,
    userAlbumId: ownerKey,
    userAlbumSlug: albumName,
  })
const savedKey = (page: Page) => page.evaluate(() => localStorage.getItem('userAlbumId'))
const logOut = (page: Page) => page.getByRole('button', { name: 'Log out', exact: true })
const gate = (page: Page) => page.getByRole('heading', { name: 'Access Album' })

test('a guest logs out, and the page asks for the password again, also after a reload', async ({
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Garden Party')
  const { page } = visitor
  await enterAsGuest(visitor, album)
  await logOut(page).click()
  await seesToast(page, 'Logged out', 'You have left Garden Party')
  await gate(page).waitFor()
  expect(await page.getByText('Please enter the password again').count()).toBe(0)
  await page.reload()
  await gate(page).waitFor()
})

test('an owner who logs out is asked first, and gets the private link, which leads back', async ({
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Lake Party')
  const { page } = visitor
  await saveKey(visitor, album)
  await enterAsOwner(visitor, album)
  await logOut(page).click()
  const dialog = page.getByRole('dialog', { name: 'Log out as the organiser?' })
  const link = `${site.url}${ownerLink(album.albumName, album.ownerKey)}`
  await dialog.getByText(link).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog.count()).toBe(0)
  expect(await savedKey(page)).toBe(album.ownerKey)

  await logOut(page).click()
  await dialog.getByRole('button', { name: 'Log out' }).click()
  await seesToast(page, 'Logged out')
  await gate(page).waitFor()
  expect(await savedKey(page)).toBeNull()
  await page.reload()
  await gate(page).waitFor()
  await page.goto('/bulk-upload')
  await page.waitForURL('**/get-started')

  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await page.goto(link)
  await page.getByRole('link', { name: 'Upload photos' }).waitFor()
  expect(page.url()).toBe(`${site.url}/album/${album.albumName}`)
  expect(await savedKey(page)).toBe(album.ownerKey)
  // The browser's own request for the page has no fragment on the wire, but Playwright shows it.
  expect(addresses.filter((address) => address !== link && address.includes(album.ownerKey))).toEqual([])
})

test('an owner whose browser does not hold the key reads how to come back', async ({ visitor, site }) => {
  const album = await site.createAlbum('Barn Party')
  const { page } = visitor
  await enterAsOwner(visitor, album)
  await logOut(page).click()
  const dialog = page.getByRole('dialog', { name: 'Log out as the organiser?' })
  await dialog.getByText(/^To come back as the organiser, use the browser/).waitFor()
  await dialog.getByRole('button', { name: 'Log out' }).click()
  await gate(page).waitFor()
})

test('logging out of one album keeps the key of another', async ({ visitor, site }) => {
  const album = await site.createAlbum('Older Party')
  const newer = await site.createAlbum('Newer Party')
  const { page } = visitor
  await saveKey(visitor, newer)
  await enterAsOwner(visitor, album)
  await logOut(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await gate(page).waitFor()
  expect(await savedKey(page)).toBe(newer.ownerKey)
})

test('another tab of the owner is logged out, too, and does not enter again with the key', async ({
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Quiet Party')
  const { page, context } = visitor
  await saveKey(visitor, album)
  await enterAsOwner(visitor, album)
  await sees(page, 'Nothing has been uploaded yet')
  const other = await context.newPage()
  await other.goto(`/album/${album.albumName}`)
  await logOut(other).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await gate(other).waitFor()
  await gate(page).waitFor()
  expect(await savedKey(page)).toBeNull()
  expect((await page.request.get(`/api/albums/by-name/${album.albumName}`)).status()).toBe(401)
})

test('when logging out fails, the page says so and stays open', async ({ visitor, site }) => {
  const album = await site.createAlbum('Picnic')
  const { page } = visitor
  await saveKey(visitor, album)
  await enterAsOwner(visitor, album)
  await page.route('**/trpc/albums.logOut**', (route) => route.abort())
  await logOut(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await seesToast(page, 'Could not log out')
  await sees(page, 'Nothing has been uploaded yet')
  expect(await savedKey(page)).toBe(album.ownerKey)
})

test('a browser with a former owner key says so at the gate, and the new private link opens the album', async ({
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Beach Party')
  const { page } = visitor
  await saveKey(visitor, album)
  const { body } = await createClient(site.url).post(`/api/albums/${album.ownerKey}/owner-key`, {})
  await page.goto(`/album/${album.albumName}`)
  await sees(page, 'You are no longer the organiser here')
  await page.goto(ownerLink(album.albumName, body.ownerKey))
  await page.getByRole('link', { name: 'Upload photos' }).waitFor()
  expect(await savedKey(page)).toBe(body.ownerKey)
})

test('a private link adds its album to those of the browser', async ({ visitor, site }) => {
  const album = await site.createAlbum('Forest Party')
  const other = await site.createAlbum('River Party')
  const { page } = visitor
  await saveKey(visitor, other)
  await page.goto(ownerLink(album.albumName, album.ownerKey))
  await page.getByRole('link', { name: 'Upload photos' }).waitFor()
  expect(await savedKey(page)).toBe(album.ownerKey)
  await page.goto(`/album/${other.albumName}`)
  await page.getByRole('link', { name: 'Upload photos' }).waitFor()
  await expect.poll(() => savedKey(page)).toBe(other.ownerKey)
})
