import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { invite } from '../../src/albums/invitations.ts'
import { findAlbum } from '../../src/albums/queries.ts'
import { COMMAND_LINE } from '../../src/audit/audit-log.ts'
import { ownerLink } from '../../src/contract/albums/owner-link.ts'
import { letterLinks } from '../../src/letters/links.ts'
import { ledger } from '../../src/texts/english/desk/desk-photos.ts'
import { expectNoAxeFault } from './axe.ts'
import { continueButton, fillGetStarted } from './get-started.ts'
import { seesSuccessPage } from './organiser.ts'
import { installClock, passTime } from './page-clock.ts'
import { numbered, photoFolder } from './photo-folder.ts'
import { type Site, startSite } from './site.ts'
import { siteTest } from './site-test.ts'
import { organiserOf, sees, seesToast } from './visitor.ts'

const test = siteTest({ work: false })
  .extend('folder', { scope: 'file' }, photoFolder(numbered(3)))
  // biome-ignore lint/correctness/noEmptyPattern: Vitest insists on a destructuring pattern.
  .extend('invited', { scope: 'file' }, async ({}, { onCleanup }) => {
    const env = { ALBUM_CREATION: 'invited', ALBUM_MAX_PHOTOS: '2' }
    const invited = await startSite({ work: false, env })
    onCleanup(() => invited.close())
    return invited
  })
test.beforeEach(({ page }) => installClock(page).then(() => {}))

const FILES = 'input[type=file]:not([webkitdirectory])'
const FULL = 'The album is full: it holds at most 2 photos. Please create another album for the others.'
const NOTHING_KEPT = 'This browser does not let this site keep anything'

const savedKey = (page: Page) => page.evaluate(() => localStorage.getItem('userAlbumId'))
const continueWith = (page: Page, name: string) => page.getByRole('link', { name: `Continue with ${name}` })
const dialog = (page: Page) => page.getByRole('dialog')
/** By the keyboard: a toast may cover the link. */
const toAlbums = (page: Page) =>
  page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Albums' }).press('Enter')
const listed = (page: Page, name: string) => page.locator('main li').filter({ hasText: name })

async function photosOf({ database: { db } }: Site, name: string): Promise<number | undefined> {
  const album = await db
    .selectFrom('albums')
    .select('photos_stored')
    .where('display_name', '=', name)
    .executeTakeFirst()
  return album?.photos_stored
}

async function createAlbum(page: Page, name: string): Promise<void> {
  await fillGetStarted(page, name)
  await continueButton(page).click()
  await page.waitForURL('**/bulk-upload')
  await sees(page, name)
}

async function upload(page: Page, paths: string[]): Promise<void> {
  await page.setInputFiles(FILES, paths)
  await page.getByRole('button', { name: /^Upload \d+ Photos?$/ }).click()
  await seesSuccessPage(page)
}

/** Lets the browser save nothing more; with a name, nothing of this name. */
const refuseToKeep = (page: Page, only?: string) =>
  page.evaluate((refused) => {
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (name: string, value: string) {
      if (refused === undefined || name === refused) throw new DOMException('full', 'QuotaExceededError')
      setItem.call(this, name, value)
    }
  }, only)

test('an organiser of two albums goes back to the first, adds photos to it, and logs out of it, and of all others', async ({
  page,
  visitor: { context },
  site,
  folder,
}) => {
  await page.goto('/get-started')
  await createAlbum(page, 'Anna & Tom')
  // With its first photos the album joins the public list, also where that was loaded before.
  await toAlbums(page)
  await page.getByRole('heading', { name: 'No Albums Yet' }).waitFor()
  await expectNoAxeFault(page)
  await page.goBack()
  await upload(page, folder.paths('1.jpg'))
  const link = page.getByRole('region', { name: 'Your private link' }).getByText('#owner-key=')
  expect(await link.textContent()).toBe(site.url + ownerLink('anna-tom', (await savedKey(page))!))
  await expectNoAxeFault(page)
  await toAlbums(page)
  await listed(page, 'Anna & Tom').waitFor()

  await page.goto('/get-started')
  await continueWith(page, 'Anna & Tom').waitFor()
  await createAlbum(page, 'Company Party')

  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await continueWith(page, 'Company Party').waitFor()
  await expectNoAxeFault(page)
  await continueWith(page, 'Anna & Tom').click()
  await page.getByRole('heading', { level: 1, name: 'Anna & Tom' }).waitFor()
  await page.getByRole('link', { name: 'Add photos' }).click()
  await page.waitForURL('**/bulk-upload?album=anna-tom')
  await sees(page, 'Anna & Tom')
  // What it has uploaded to this album is not forgotten either.
  await page.setInputFiles(FILES, folder.paths('1.jpg', '2.jpg', '3.jpg'))
  await page.getByRole('button', { name: 'Upload 2 Photos' }).click()
  await seesSuccessPage(page)
  await expect.poll(() => photosOf(site, 'Anna & Tom')).toBe(3)
  expect(await photosOf(site, 'Company Party')).toBe(0)

  await page.getByRole('link', { name: 'Watch progress' }).click()
  await page.waitForURL('**/album/anna-tom')
  await page.goto('/get-started')
  const other = await context.newPage()
  await other.goto('/manage/anna-tom')
  await other.getByRole('link', { name: 'Add photos' }).waitFor()
  await page.getByRole('button', { name: 'Log out of Anna & Tom' }).click()
  await dialog(page).getByText('/manage/anna-tom#owner-key=').waitFor()
  await dialog(page).getByRole('button', { name: 'Log out' }).click()
  await seesToast(page, 'Logged out', 'You have left Anna & Tom')
  await other.getByText('Only the organiser of this album can open this page').waitFor()
  await expectNoAxeFault(other)
  expect(await continueWith(page, 'Anna & Tom').count()).toBe(0)
  await page.goto('/bulk-upload?album=anna-tom')
  await page.waitForURL('**/get-started')
  await sees(page, 'Choose one of your albums, or create a new one')

  await createAlbum(page, 'Lake Party')
  await page.evaluate(() => {
    localStorage.setItem('remembered guest-party', '{}')
    sessionStorage.setItem('search guest-party', '{}')
  })
  await page.goto('/get-started')
  await page.getByRole('button', { name: 'Log out of all albums' }).click()
  await dialog(page).getByText('/manage/lake-party#owner-key=').waitFor()
  await expectNoAxeFault(page)
  const company = await dialog(page).getByText('/manage/company-party#owner-key=').textContent()
  await dialog(page).getByRole('button', { name: 'Log out of all albums' }).click()
  await seesToast(page, 'Logged out', 'You have left all albums')
  await page.getByRole('heading', { name: 'Your albums' }).waitFor({ state: 'detached' })
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  expect(await page.evaluate(() => sessionStorage.getItem('search guest-party'))).toBeNull()
  expect((await page.request.get('/api/albums/by-name/company-party')).status()).toBe(401)

  await page.goto(company!)
  await page.getByRole('link', { name: 'Add photos' }).waitFor()
  expect(page.url()).toBe(`${site.url}/manage/company-party`)
})

test('the private link of a letter opens the album in another browser, which can upload to it if it keeps the key', async ({
  page,
  visitor,
  visit,
  site,
  folder,
}) => {
  const { db } = site.database
  const created = await site.createAlbum('River Party')
  const { albumName, displayName, ownerKey } = created
  await db
    .updateTable('albums')
    .set({ address_confirmed_at: new Date() })
    .where('slug', '=', albumName)
    .execute()
  const album = (await findAlbum(db, { slug: albumName }))!
  const { owner } = letterLinks(site.context.keyring, site.url, album)
  await page.goto(owner)
  await page.getByRole('link', { name: 'Add photos' }).click()
  await upload(page, folder.paths('1.jpg'))
  await page.goto('/')
  await continueWith(page, displayName).waitFor()

  // The key that the album was created with lasts longer than that of a letter, so it stays.
  await visitor.becomeOrganiser(organiserOf(created))
  await page.evaluate(() => localStorage.removeItem('ownAlbums'))
  await page.goto(owner)
  await page.getByRole('link', { name: 'Add photos' }).waitFor()
  expect(await savedKey(page)).toBe(ownerKey)

  const forgetful = await visit()
  await forgetful.context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await forgetful.page.goto(ownerLink(albumName, ownerKey))
  await forgetful.page.getByText('This browser did not keep the key to your album').waitFor()
  expect(await forgetful.page.getByRole('link', { name: 'Add photos' }).count()).toBe(0)
})

test('where the browser cannot keep the key, no album is created, or its private link is shown', async ({
  page,
  site,
}) => {
  await page.goto('/get-started')
  await refuseToKeep(page)
  await fillGetStarted(page, 'Lost Party')
  await continueButton(page).click()
  await sees(page, NOTHING_KEPT)
  expect(await photosOf(site, 'Lost Party')).toBeUndefined()

  await page.reload()
  await refuseToKeep(page, 'ownAlbums')
  await fillGetStarted(page, 'Big Party')
  await continueButton(page).click()
  await sees(page, NOTHING_KEPT)
  const link = await page.getByText(`${site.url}/manage/big-party#owner-key=`).textContent()
  expect(await savedKey(page)).toBeNull()
  await page.reload()
  await page.goto(link!)
  await page.getByRole('link', { name: 'Add photos' }).waitFor()
})

test('by invitation an organiser in a private window creates an album with a code, and fills it', async ({
  page,
  invited,
  folder,
}) => {
  const { code } = await invite(invited.context, { albums: 1, days: 1 }, COMMAND_LINE)
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Not in a private window', 'SecurityError')
    }
  })
  await page.goto(`${invited.url}/get-started`)
  await fillGetStarted(page, 'Party')
  expect(await continueButton(page).isDisabled()).toBe(true)
  const field = page.getByLabel('Invitation Code')
  await field.fill('guess')
  await continueButton(page).click()
  await sees(page, 'This invitation code is wrong')
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
  await field.fill(code)
  await continueButton(page).click()
  await page.waitForURL('**/bulk-upload')

  await sees(page, 'JPEG and PNG, up to 5 MB each. An album holds up to 2 photos, or 500 GB.')
  await page.setInputFiles(FILES, folder.paths('1.jpg', '2.jpg', '3.jpg'))
  await page.getByRole('button', { name: 'Upload 3 Photos' }).click()
  await seesToast(page, 'Upload completed!', '2 photos uploaded successfully, 1 failed')
  await seesSuccessPage(page)
  await page.getByRole('heading', { name: 'Upload Started Successfully!' }).waitFor()
  await page.getByText(FULL).first().waitFor()
  await expectNoAxeFault(page)
  const wayOn = page.getByRole('main').getByRole('link', { name: 'Create a new album' })
  await wayOn.waitFor()
  expect(await page.getByRole('link', { name: 'Upload more photos to this album' }).count()).toBe(0)

  await wayOn.click()
  await page.waitForURL('**/get-started')
})

test('a desk whose session has ended comes back by the owner key once, however long its numbers take', async ({
  visitor,
  site,
}) => {
  const album = await site.createAlbum()
  const { page, context } = visitor
  let entries = 0
  page.on('request', (request) => {
    if (request.url().includes('/albums.enterAsOwner')) entries += 1
  })
  await visitor.becomeOrganiser(organiserOf(album))
  await page.goto(`/manage/${album.albumName}`)
  const numbers = page.getByRole('region', { name: ledger.title }).locator('dl')
  await numbers.waitFor()
  expect(entries).toBe(1)

  /** The next call is refused, and the one after it takes its time. What the page asks without a session is answered last. */
  async function loseSession(call: string, next: () => Promise<unknown>): Promise<void> {
    const coming = Promise.withResolvers<void>()
    let asked = 0
    const entered = page.waitForResponse('**/albums.enterAsOwner*')
    await page.route('**/albums.visit*', async (route) => {
      const refusal = await route.fetch()
      await entered
      await route.fulfill({ response: refusal })
    })
    await page.route(call, async (route) => {
      asked += 1
      if (asked > 1) await coming.promise
      await route.fallback()
    })
    await context.clearCookies()
    await next()
    await expect.poll(() => asked).toBe(2)
    // Calls enough in which it could have entered again and again.
    for (let call = 0; call < 20; call += 1) await page.evaluate(() => fetch('/api/albums/list'))
    coming.resolve()
  }
  await loseSession('**/trpc/albums.coverage*', () => passTime(page, 10_000))
  await numbers.waitFor()
  expect(entries).toBe(2)

  const open = (name: string) => page.getByRole('link', { name, exact: true }).first().click()
  const cameras = page.waitForResponse('**/trpc/albums.cameras*')
  await open('Photos')
  await cameras
  await open('Overview')
  await numbers.waitFor()
  await loseSession('**/trpc/albums.cameras*', () => open('Photos'))
  expect(entries).toBe(3)
})
