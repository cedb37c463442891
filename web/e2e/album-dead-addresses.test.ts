import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { CONSENT_NEEDED } from '../../src/contract/wording.ts'
import {
  addCopies,
  type ChosenFile,
  enterAsGuest,
  enterAsOwner,
  givePassword,
  searchWith,
  selfieOfSample1,
} from './album-visits.ts'
import { resultsTest } from './results-page.ts'
import type { OwnedAlbum } from './site.ts'
import { siteTest } from './site-test.ts'
import { answerZips, replaceShareSheet } from './take-home.ts'
import { sees, seesToast, type Visitor } from './visitor.ts'

const MINUTE = 60_000
const SEARCH_PATH = '/api/search-in-album'

const test = siteTest()
  /** Sample 1 and 22 copies of it. Guests may browse them. */
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await site.fill(album, [1])
    await addCopies(site, album, 22)
    await album.owner.post(`/api/albums/${album.ownerKey}/settings`, { browsing: 'on' })
    return album
  })
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
test.beforeAll(({ selfie }) => void selfie)

const openLinks = (page: Page) => page.getByRole('link', { name: /^Open / })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const gate = (page: Page) => page.getByRole('heading', { name: 'Access Album' })
const tiles = (page: Page) => page.locator('main li')

async function passwordOf({ owner, albumName }: OwnedAlbum): Promise<string> {
  return (await owner.get(`/api/albums/by-name/${albumName}`)).body.album.albumPassword
}

async function changePassword({ owner, ownerKey }: OwnedAlbum): Promise<string> {
  return (await owner.post(`/api/albums/${ownerKey}/password`, {})).body.albumPassword
}

/** A guest sees the photos that a search has found. */
async function findPhotos(visitor: Visitor, album: OwnedAlbum, selfie: ChosenFile): Promise<Page> {
  const { page } = visitor
  await enterAsGuest(visitor, { ...album, password: await passwordOf(album) })
  await searchWith(page, selfie)
  await page.getByRole('heading', { name: 'Found 23 Photos!' }).waitFor()
  await allDrawn(page)
  return page
}

/** The page asks for the password again and says why. The visitor enters the new one. */
async function enterAgain(page: Page, password: string): Promise<void> {
  await gate(page).waitFor()
  await page.getByText(/^Your access to this album has ended\. The organiser may have changed/).waitFor()
  await givePassword(page, password)
}

/** All thumbnails near the window have loaded, so that no further one fails by itself. */
const allDrawn = (page: Page) =>
  page.waitForFunction(() => {
    const images = [...document.querySelectorAll<HTMLImageElement>('main li img')]
    // The last photo is always in the document, and loads only near the window.
    return images.length > 1 && images.slice(0, -1).every(({ naturalWidth }) => naturalWidth > 0)
  })

const versionOf = (page: Page) =>
  openLinks(page)
    .first()
    .getAttribute('href')
    .then((address) => /[?&]v=(\d+)/.exec(address!)![1])

/** Waits until the photos have the addresses of a new password. */
async function isRenewed(page: Page, formerVersion: string | undefined): Promise<void> {
  await expect.poll(() => versionOf(page)).not.toBe(formerVersion)
  await allDrawn(page)
}

test("a tile's download that the new password has ended leads to the gate, and back to the same photos", async ({
  visitor,
  album,
  selfie,
}) => {
  const page = await findPhotos(visitor, album, selfie)
  const former = await versionOf(page)
  await button(page, 'Show more (5 left)').click()
  await expect.poll(() => tiles(page).first().getAttribute('aria-setsize')).toBe('23')
  await tiles(page).last().scrollIntoViewIfNeeded()
  await allDrawn(page)
  const top = await page.evaluate(() => window.scrollY)
  expect(top).toBeGreaterThan(300)
  const password = await changePassword(album)
  await tiles(page)
    .last()
    .getByRole('link', { name: /^Download / })
    .click()
  await enterAgain(page, password)
  await page.getByRole('heading', { name: 'Found 23 Photos!' }).waitFor()
  await expect.poll(() => tiles(page).first().getAttribute('aria-setsize')).toBe('23')
  await expect.poll(() => page.evaluate((wanted) => Math.abs(window.scrollY - wanted), top)).toBeLessThan(100)
  await isRenewed(page, former)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download sample1.jpg' }).click()
  expect(await (await downloading).failure()).toBeNull()
})

test('a photo that does not load in the viewer leads to the gate, and back into the viewer', async ({
  visitor,
  album,
  selfie,
}) => {
  const page = await findPhotos(visitor, album, selfie)
  const viewer = page.getByRole('dialog')
  const shows = (name: RegExp) => viewer.getByRole('heading', { name }).waitFor()
  await openLinks(page).first().click()
  await shows(/^Photo 1 of 23/)
  const password = await changePassword(album)
  // The next ones have loaded already.
  await page.keyboard.press('End')
  await enterAgain(page, password)
  await shows(/^Photo \d+ of 23/)
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'detached' })
  await allDrawn(page)
})

test('a zip that the new password has ended leads to the gate, and back to the chosen photos', async ({
  visitor,
  album,
  selfie,
}) => {
  const page = await findPhotos(visitor, album, selfie)
  const former = await versionOf(page)
  await button(page, 'Select').click()
  await tiles(page).first().getByRole('checkbox').check()
  await sees(page, '1 selected')
  const password = await changePassword(album)
  await button(page, 'Download').click()
  await enterAgain(page, password)
  await sees(page, '1 selected')
  await isRenewed(page, former)
  expect(await tiles(page).first().getByRole('checkbox').isChecked()).toBe(true)
  await answerZips(page, 2)
  await button(page, 'Download').click()
  await sees(page, 'Your photos are in 2 files')
})

test('photos that a phone can no longer save lead to the gate, and back', async ({
  visit,
  album,
  selfie,
}) => {
  const visitor = await visit({ device: 'phone' })
  await replaceShareSheet(visitor, ['takes'])
  const page = await findPhotos(visitor, album, selfie)
  const password = await changePassword(album)
  await button(page, 'Save all to Photos').tap()
  await enterAgain(page, password)
  await page.getByRole('heading', { name: 'Found 23 Photos!' }).waitFor()
  await button(page, 'Save all to Photos').waitFor()
})

test('a guest who browses all photos comes back to them', async ({ visitor, album }) => {
  const { page } = visitor
  await enterAsGuest(visitor, { ...album, password: await passwordOf(album) })
  await page.getByRole('link', { name: 'Browse all photos' }).click()
  await page.getByRole('heading', { name: 'All 23 photos' }).waitFor()
  await allDrawn(page)
  const former = await versionOf(page)
  const password = await changePassword(album)
  await tiles(page)
    .first()
    .getByRole('link', { name: /^Download / })
    .click()
  await enterAgain(page, password)
  await page.getByRole('heading', { name: 'All 23 photos' }).waitFor()
  await isRenewed(page, former)
})

test('the owner, who needs no password, gets fresh addresses after a zip was refused', async ({
  visitor,
  album,
  selfie,
}) => {
  const { page } = visitor
  await enterAsOwner(visitor, album)
  await searchWith(page, selfie)
  await page.getByRole('heading', { name: 'Found 23 Photos!' }).waitFor()
  const former = await versionOf(page)
  await changePassword(album)
  await button(page, 'Download all 23').click()
  await isRenewed(page, former)
  expect(await gate(page).count()).toBe(0)
})

test('after a log-out in another tab, the next person sees nothing of what was found', async ({
  visitor,
  album,
  selfie,
}) => {
  const page = await findPhotos(visitor, album, selfie)
  const other = await visitor.context.newPage()
  await other.goto(`/album/${album.albumName}`)
  await other.getByRole('button', { name: 'Log out', exact: true }).click()
  await gate(other).waitFor()
  await enterAgain(page, await passwordOf(album))
  await button(page, 'Search Photos').waitFor()
  expect(await page.getByRole('heading', { name: /^Found / }).count()).toBe(0)
  expect(await page.getByText('selfie.jpg').count()).toBe(0)
})

test('results that are open stay agreed to when the organiser begins to ask for a tick', async ({
  page,
  clock,
  visitor,
  album,
  selfie,
}) => {
  const askForTick = (consentTick: 'on' | 'off') =>
    album.owner.post(`/api/albums/${album.ownerKey}/settings`, { consentTick })
  await findPhotos(visitor, album, selfie)
  await askForTick('on')
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().includes(SEARCH_PATH)),
    clock.pass(55 * MINUTE),
  ])
  expect(answer.status()).toBe(200)
  // A new search is another person's.
  await button(page, 'Search Again').click()
  await searchWith(page, selfie)
  await seesToast(page, 'Search failed', CONSENT_NEEDED)
  await askForTick('off')
})

const onResults = resultsTest()

onResults(
  'results of a submission say that a new password has ended them',
  async ({ page, site, results }) => {
    await results.openMatched(2)
    await allDrawn(page)
    await site.database.db
      .updateTable('albums')
      .set((row) => ({ password_version: row('password_version', '+', 1) }))
      .execute()
    await page
      .getByRole('link', { name: /^Download / })
      .first()
      .click()
    await sees(page, 'These results have expired')
    await page.getByText(/^The album has a new password, and the links/).waitFor()
    await page.getByRole('link', { name: 'Start New Search' }).waitFor()
  },
)
