import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { letterLinks } from '../../src/albums/letter-links.ts'
import { findAlbum } from '../../src/albums/queries.ts'
import { ownerLink } from '../../src/contract/owner-link.ts'
import { continueButton, fillGetStarted } from './get-started.ts'
import { numbered, photoFolder } from './photo-folder.ts'
import { siteTest } from './site-test.ts'
import { sees, seesToast } from './visitor.ts'

const test = siteTest({ work: false }).extend('folder', { scope: 'file' }, photoFolder(numbered(3)))

const savedKey = (page: Page) => page.evaluate(() => localStorage.getItem('userAlbumId'))
const continueWith = (page: Page, name: string) => page.getByRole('link', { name: `Continue with ${name}` })
const FILES = 'input[type=file]:not([webkitdirectory])'
const dialog = (page: Page) => page.getByRole('dialog')
const gate = (page: Page) => page.getByRole('heading', { name: 'Access Album' })

async function createAlbum(page: Page, name: string): Promise<void> {
  await fillGetStarted(page, name)
  await continueButton(page).click()
  await page.waitForURL('**/bulk-upload')
  await sees(page, name)
}

async function upload(page: Page, paths: string[]): Promise<void> {
  await page.setInputFiles(FILES, paths)
  await page.getByRole('button', { name: /^Upload \d+ Photos?$/ }).click()
  await page.waitForURL('**/upload-success')
}

test('an organiser of two albums goes back to the first, adds photos to it, and logs out of it alone', async ({
  page,
  site,
  folder,
}) => {
  const photosOf = async (name: string) =>
    (
      await site.database.db
        .selectFrom('albums')
        .select('photos_stored')
        .where('display_name', '=', name)
        .executeTakeFirstOrThrow()
    ).photos_stored
  await page.goto('/get-started')
  await createAlbum(page, 'Anna & Tom')
  await upload(page, folder.paths('1.jpg'))
  const link = page.getByRole('region', { name: 'Your private link' }).getByText('#owner-key=')
  expect(await link.textContent()).toBe(site.url + ownerLink('anna-tom', (await savedKey(page))!))

  await page.getByRole('link', { name: 'Create Another Album' }).click()
  await continueWith(page, 'Anna & Tom').waitFor()
  await createAlbum(page, 'Company Party')
  const keyOfSecond = await savedKey(page)

  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await continueWith(page, 'Company Party').waitFor()
  await continueWith(page, 'Anna & Tom').click()
  await page.getByRole('heading', { level: 1, name: 'Anna & Tom' }).waitFor()
  await page.getByRole('link', { name: 'Add photos' }).click()
  await page.waitForURL('**/bulk-upload?album=anna-tom')
  await sees(page, 'Anna & Tom')
  // A reload in this tab stays with this album, whatever another tab has in hand.
  await page.evaluate((key) => localStorage.setItem('userAlbumId', key!), keyOfSecond)
  await page.reload()
  await sees(page, 'Anna & Tom')
  // What it has uploaded to this album is not forgotten either.
  await page.setInputFiles(FILES, folder.paths('1.jpg', '2.jpg', '3.jpg'))
  await page.getByRole('button', { name: 'Upload 2 Photos' }).click()
  await page.waitForURL('**/upload-success')
  await expect.poll(() => photosOf('Anna & Tom')).toBe(3)
  expect(await photosOf('Company Party')).toBe(0)

  await page.getByRole('link', { name: 'Watch progress' }).click()
  await page.getByRole('button', { name: 'Log out', exact: true }).click()
  await dialog(page).getByText('/album/anna-tom#owner-key=').waitFor()
  await dialog(page).getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Access Album' }).waitFor()
  expect(await savedKey(page)).not.toBe(keyOfSecond)

  await page.goto('/')
  await continueWith(page, 'Company Party').click()
  await page.getByRole('link', { name: 'Upload photos' }).click()
  await upload(page, folder.paths('1.jpg'))
  await expect.poll(() => photosOf('Company Party')).toBe(1)
  await page.goto('/')
  expect(await continueWith(page, 'Anna & Tom').count()).toBe(0)
})

test('a key that was forgotten leads from the upload page to the albums that are left', async ({
  page,
  visitor,
  site,
}) => {
  const left = await site.createAlbum('Lake Party')
  await visitor.becomeOrganiser({
    userEmail: 'owner@example.com',
    eventName: left.displayName,
    userAlbumId: left.ownerKey,
    userAlbumSlug: left.albumName,
  })
  await page.goto('/bulk-upload?album=gone-party')
  await page.waitForURL('**/get-started')
  await sees(page, 'Choose one of your albums, or create a new one')
  await continueWith(page, 'Lake Party').waitFor()
})

test('an organiser logs out of one album on /get-started, and of all, and reads the private links before', async ({
  page,
  visitor: { context },
  site,
}) => {
  const names = ['First Party', 'Second Party', 'Third Party']
  for (const name of names) {
    await page.goto('/get-started')
    await createAlbum(page, name)
  }
  await page.goto('/get-started')
  const other = await context.newPage()
  await other.goto('/album/third-party')
  await sees(other, 'Nothing has been uploaded yet')
  await page.getByRole('button', { name: 'Log out of Third Party' }).click()
  await dialog(page).getByText('/album/third-party#owner-key=').waitFor()
  await dialog(page).getByRole('button', { name: 'Log out' }).click()
  await seesToast(page, 'Logged out', 'You have left Third Party')
  await expect.poll(() => continueWith(page, 'Third Party').count()).toBe(0)
  await gate(other).waitFor()
  expect((await page.request.get('/api/albums/by-name/third-party')).status()).toBe(401)
  expect((await page.request.get('/api/albums/by-name/first-party')).status()).toBe(200)

  await other.goto('/album/first-party')
  await sees(other, 'Nothing has been uploaded yet')
  await page.evaluate(() => {
    localStorage.setItem('remembered guest-party', '{}')
    sessionStorage.setItem('search guest-party', '{}')
  })
  await page.getByRole('button', { name: 'Log out of all albums' }).click()
  await dialog(page).getByText('/album/first-party#owner-key=').waitFor()
  const link = await dialog(page).getByText('/album/second-party#owner-key=').textContent()
  await dialog(page).getByRole('button', { name: 'Log out of all albums' }).click()
  await seesToast(page, 'Logged out', 'You have left all albums')
  await gate(other).waitFor()
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  expect(await page.evaluate(() => sessionStorage.getItem('search guest-party'))).toBeNull()
  expect((await page.request.get('/api/albums/by-name/first-party')).status()).toBe(401)
  await expect.poll(() => page.getByRole('heading', { name: 'Your albums' }).count()).toBe(0)

  await page.goto(link!)
  await page.getByRole('link', { name: 'Upload photos' }).waitFor()
  expect(page.url()).toBe(`${site.url}/album/second-party`)
})

test('the private link of a letter opens the album in another browser, which can upload to it', async ({
  page,
  visitor,
  site,
  folder,
}) => {
  const { db } = site.database
  const { albumName, displayName, ownerKey } = await site.createAlbum('River Party')
  await db
    .updateTable('albums')
    .set({ address_confirmed_at: new Date() })
    .where('slug', '=', albumName)
    .execute()
  const album = (await findAlbum(db, { slug: albumName }))!
  const { owner } = letterLinks(site.context.services.keyring, site.url, album)
  await page.goto(owner)
  await page.getByRole('link', { name: 'Upload photos' }).click()
  await upload(page, folder.paths('1.jpg'))
  await page.goto('/')
  await continueWith(page, displayName).waitFor()

  // The key that the album was created with lasts longer than that of a letter, so it stays.
  await visitor.becomeOrganiser({
    userEmail: 'owner@example.com',
    eventName: displayName,
    userAlbumId: ownerKey,
    userAlbumSlug: albumName,
  })
  await page.evaluate(() => localStorage.removeItem('ownAlbums'))
  await page.goto(owner)
  await page.getByRole('link', { name: 'Add photos' }).waitFor()
  expect(await savedKey(page)).toBe(ownerKey)
})

test('where the browser keeps nothing, no album is created, and the page says why', async ({
  page,
  site,
}) => {
  await page.goto('/get-started')
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await fillGetStarted(page, 'Lost Party')
  await continueButton(page).click()
  await sees(page, 'This browser does not let this site keep anything')
  const albums = await site.database.db
    .selectFrom('albums')
    .select('id')
    .where('display_name', '=', 'Lost Party')
    .execute()
  expect(albums).toEqual([])
})

test('an album whose key does not fit into the storage shows its private link', async ({ page, site }) => {
  await page.goto('/get-started')
  await page.evaluate(() => {
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (name: string, value: string) {
      if (name === 'ownAlbums') throw new DOMException('full', 'QuotaExceededError')
      setItem.call(this, name, value)
    }
  })
  await fillGetStarted(page, 'Big Party')
  await continueButton(page).click()
  const link = await page.getByText(`${site.url}/album/big-party#owner-key=`).textContent()
  expect(await savedKey(page)).toBeNull()
  await page.reload()
  await page.goto(link!)
  await page.getByRole('link', { name: 'Upload photos' }).waitFor()
})

test('a private link in a browser that keeps nothing opens the album, and says why it cannot upload', async ({
  page,
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Tunnel Party')
  await visitor.context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await page.goto(ownerLink(album.albumName, album.ownerKey))
  await page.getByText('This browser did not keep the key to your album').waitFor()
  expect(await page.getByRole('link', { name: 'Upload photos' }).count()).toBe(0)
})
