import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findAlbum } from '../../src/albums/queries.ts'
import { ownerLink } from '../../src/contract/owner-link.ts'
import { waitUntil } from '../../src/testing/wait.ts'
import { enterAsGuest, enterAsOwner, fillWithRows } from './album-visits.ts'
import { HIDDEN } from './head.ts'
import { fail } from './scene.ts'
import type { OwnedAlbum, Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { holdBack, sees, watchPlaces } from './visitor.ts'

const test = siteTest()

const card = (page: Page) => page.getByRole('region', { name: 'Letters about this album' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function enterAddress(page: Page, address: string): Promise<void> {
  await page.getByRole('button', { name: 'Change the address' }).click()
  await page.getByLabel('New email address').fill(address)
  await page.getByRole('button', { name: 'Save the address' }).click()
}

/** The letter to an address, as soon as it is in the outbox. */
async function letterTo(site: Site, address: string): Promise<string> {
  const folder = join(site.dataDir, 'outbox')
  let found: string | undefined
  await waitUntil(`the letter to ${address}`, async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.eml'))
    const letters = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    found = letters.find((letter) => letter.includes(`To: ${address}`))
    return found
  })
  return found!
}

/** A letter about the album was sent, so another address has to be confirmed. */
async function sendLetter(site: Site, { albumName }: OwnedAlbum): Promise<void> {
  const { db } = site.database
  const { id } = (await findAlbum(db, { slug: albumName }))!
  const now = new Date()
  const sent = { closed_at: now, completed_at: now, letter_begun_at: now, letter_sent_at: now }
  await db
    .insertInto('upload_rounds')
    .values({ album_id: id, photos_added: 1, ...sent })
    .execute()
}

test('an owner changes where the letters go, with the button behind the link of a letter', async ({
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Garden Party')
  await sendLetter(site, album)
  const { page } = visitor
  await enterAsOwner(visitor, album)
  await card(page).getByText('They go to o…@example.com.').waitFor()
  await enterAddress(page, 'new.owner@mail.example')
  await card(page).getByText('We have sent a letter to n…@mail.example').waitFor()
  await page.reload()
  await card(page).getByText('We have sent a letter to n…@mail.example').waitFor()

  const letter = await letterTo(site, 'new.owner@mail.example')
  const email = async () => (await findAlbum(site.database.db, { slug: album.albumName }))!.email
  const answer = await page.goto(/http\S+\/letter-address#\S+/.exec(letter)![0])
  expect(answer!.headers()['x-robots-tag']).toBe(HIDDEN)
  await heading(page, 'Letters about an album')
  expect(await email()).toBe('owner@example.com')
  await page.getByRole('button', { name: 'Yes, send them here' }).click()
  await heading(page, 'Your address is confirmed')
  expect(await email()).toBe('new.owner@mail.example')
  await page.reload()
  await page.getByRole('button', { name: 'Yes, send them here' }).click()
  await heading(page, 'Your address is confirmed')
  await page.getByRole('link', { name: 'Open the album' }).click()
  await card(page).getByText('They go to n…@mail.example.').waitFor()
})

test('the form can be cancelled, and says what is wrong with an address', async ({ visitor, site }) => {
  const album = await site.createAlbum('Lake Party')
  await sendLetter(site, album)
  const { page } = visitor
  await enterAsOwner(visitor, album)
  await enterAddress(page, 'owner@mail')
  await page
    .getByText(/^Please enter a valid email address/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('owner-letters')
  await fail(page, '**/trpc/albums.changeLetterAddress**')
  await enterAddress(page, 'owner@mail.example')
  await sees(page, 'The address could not be changed')
  await page.unroute('**/trpc/albums.changeLetterAddress**')
  await page.getByRole('button', { name: 'Save the address' }).click()
  await card(page).getByText('We have sent a letter to').waitFor()
})

test('before any letter the address changes at once', async ({ visitor, site }) => {
  const album = await site.createAlbum('River Party')
  const { page } = visitor
  await enterAsOwner(visitor, album)
  await enterAddress(page, 'new.owner@mail.example')
  await card(page).getByText('They go to n…@mail.example.').waitFor()
  expect(await card(page).getByText('We have sent a letter').count()).toBe(0)
})

test('where the address cannot be loaded, the owner can try again, and a guest does not see it', async ({
  visitor,
  visit,
  site,
}) => {
  const album = await site.createAlbum('Barn Party')
  const { page } = visitor
  await fail(page, '**/trpc/albums.letterAddress**')
  await enterAsOwner(visitor, album)
  await sees(page, 'The address could not be loaded')
  await page.unroute('**/trpc/albums.letterAddress**')
  await card(page).getByRole('button', { name: 'Try again' }).click()
  await card(page).getByText('They go to').waitFor()

  const guest = await visit()
  await enterAsGuest(guest, album)
  await guest.page.getByRole('button', { name: 'Log out' }).waitFor()
  expect(await card(guest.page).count()).toBe(0)
})

test.for([
  ['phone', 1],
  ['desktop', 1],
  ['phone', 0],
] as const)(
  'on a %s with %i photos, nothing that is loaded moves the controls below it',
  async ([device, count], { visit, site }) => {
    const album = await site.createAlbum('Forest Party')
    if (count > 0) await fillWithRows(site, album, count)
    const visitor = await visit({ device })
    const { page } = visitor
    await visitor.signInAs(album.owner)
    const late = [
      '**/nothing-uploaded-*.js',
      '**/share-card-*.js',
      '**/trpc/albums.letterAddress**',
      '**/trpc/albums.enterAsOwner**',
    ]
    const held = await Promise.all(late.map((address) => holdBack(page, address)))
    await page.goto(ownerLink(album.albumName, album.ownerKey))
    const places = await watchPlaces(page, 'main .justify-center > button')
    // The code of what is drawn last: the log-out waits for it.
    await held[count > 0 ? 1 : 0]!.held
    for (const { letGo } of held) {
      // What has come is drawn.
      await page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
      letGo()
    }
    await card(page).getByText('They go to').waitFor()
    await page.getByRole('link', { name: count > 0 ? 'Add photos' : 'Upload photos' }).waitFor()
    await page.getByRole('button', { name: 'Log out' }).waitFor()
    expect(await places()).toHaveLength(1)
  },
)

test.for(['', '#half-a-link'])('a link that is not valid says so: %s', async (end, { page }) => {
  await page.goto(`/letter-address${end}`)
  if (end) await page.getByRole('button', { name: 'Yes, send them here' }).click()
  await heading(page, 'This link is not valid')
})
