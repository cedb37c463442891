import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findAlbum } from '../../src/albums/queries.ts'
import { hasEndedLetters } from '../../src/letters/limits.ts'
import { letterLinks, optOutsLinks } from '../../src/letters/links.ts'
import { readSample } from '../../src/testing/client.ts'
import { insertIndexedPhotos } from '../../src/testing/indexed-photos.ts'
import { recordSentLetter } from '../../src/testing/mailbox.ts'
import { waitUntil } from '../../src/testing/wait.ts'
import { expectNoAxeFault } from './axe.ts'
import { letterWith } from './outbox.ts'
import { fail } from './refusals.ts'
import type { OwnedAlbum, Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { button, holdBack, sees } from './visitor.ts'

const test = siteTest()

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const card = (page: Page) => page.getByRole('region', { name: 'Letters about this album' })
const rowOf = async (site: Site, { albumName }: OwnedAlbum) =>
  (await findAlbum(site.database.db, { slug: albumName }))!

test("a letter's link opens the album and confirms the address; its other link stops the letters when the button is pressed", async ({
  page,
  visit,
  site,
}) => {
  const album = await site.createAlbum('Garden Party')
  const row = () => rowOf(site, album)
  const { keyring } = site.context
  const links = letterLinks(keyring, site.url, await row())
  const hasEnded = async () => hasEndedLetters(site.database.db, keyring, await row())
  const isAtGate = () => heading(page, 'Access Album')
  await page.goto(`${links.plain}#letter=${'x'.repeat(43)}`)
  await isAtGate()
  await page.goto('about:blank')

  await page.goto(links.open)
  await isAtGate()
  const path = `${site.url}/album/${album.albumName}`
  await expect.poll(() => page.url()).toBe(path)
  await waitUntil('the confirmation', async () => (await row()).address_confirmed_at)
  await page.goto('/')
  await page.goBack()
  await isAtGate()
  expect(page.url()).toBe(path)

  await page.goto(links.stop)
  await heading(page, 'This was not me')
  await expectNoAxeFault(page)
  expect(await hasEnded()).toBe(false)
  await page.context().setOffline(true)
  await button(page, 'Stop these letters').click()
  await sees(page, 'The service could not be reached. Please check your internet connection.')
  await page.context().setOffline(false)
  const { held, letGo } = await holdBack(page, '**/trpc/letters.stop**')
  await button(page, 'Stop these letters').click()
  await held
  expect(await button(page, 'Stopping...').isDisabled()).toBe(true)
  letGo()
  await heading(page, 'The letters have stopped')
  await expectNoAxeFault(page)
  expect(await hasEnded()).toBe(true)
  // The link in the header of a letter, for mail programs.
  const { page: other } = await visit()
  await other.goto(links.stopUrl)
  await button(other, 'Stop these letters').click()
  await heading(other, 'The letters have already stopped')

  await page.goto('/stop-letters#half-a-link')
  await heading(page, 'This was not me')
  await button(page, 'Stop these letters').click()
  await heading(page, 'This link is not valid')
  await expectNoAxeFault(page)
  await page.goto('/stop-letters')
  await heading(page, 'This link is not whole')
  await sees(page, "Copy the whole link from the letter's text.")
  await expectNoAxeFault(page)
})

test('an owner changes where the letters go: before any letter at once, and then with the button behind the link of a letter', async ({
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Lake Party')
  const { page } = visitor
  const email = async () => (await rowOf(site, album)).email
  const enterAddress = async (address: string) => {
    await button(page, 'Change the address').click()
    await page.getByLabel('New email address').fill(address)
    await button(page, 'Save the address').click()
  }
  const load = '**/trpc/albums.letterAddress**'
  await fail(page, load)
  await visitor.signInAs(album.owner)
  await page.goto(`/manage/${album.albumName}/settings`)
  await sees(page, 'The address could not be loaded')
  await page.unroute(load)
  await card(page).getByRole('button', { name: 'Try again' }).click()
  await card(page).getByText('They go to o…@example.com.').waitFor()
  await enterAddress('owner@mail')
  await page
    .getByText(/^Please enter a valid email address/)
    .first()
    .waitFor()
  await button(page, 'Cancel').click()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('Letters about this album')
  await enterAddress('first@mail.example')
  await card(page).getByText('They go to f…@mail.example.').waitFor()
  expect(await email()).toBe('first@mail.example')

  // Another address has to be confirmed now.
  await recordSentLetter(site.database.db, (await rowOf(site, album)).id)
  await enterAddress('new.owner@mail.example')
  await card(page).getByText('We have sent a letter to n…@mail.example').waitFor()
  await expectNoAxeFault(page)
  await page.reload()
  await card(page).getByText('We have sent a letter to n…@mail.example').waitFor()

  const letter = await letterWith(site, 'To: new.owner@mail.example')
  await page.goto(/http\S+\/letter-address#\S+/.exec(letter)![0])
  await heading(page, 'Letters about an album')
  await expectNoAxeFault(page)
  expect(await email()).toBe('first@mail.example')
  await button(page, 'Yes, send them here').click()
  await heading(page, 'Your address is confirmed')
  expect(await email()).toBe('new.owner@mail.example')
  await page.getByRole('link', { name: 'Open the album' }).click()
  await page.getByRole('link', { name: 'Manage this album' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
  await card(page).getByText('They go to n…@mail.example.').waitFor()

  await page.goto('/letter-address')
  await heading(page, 'This link is not whole')
})

test('the owner sees which photos a guest asks to hide, keeps them, hides them, and shows them again', async ({
  page,
  site,
}) => {
  const { db } = site.database
  const { id: album_id, ...album } = await rowOf(site, await site.createAlbum('River Party'))
  const photos = await insertIndexedPhotos(db, album_id, 2)
  // A guest wants both photos to be hidden.
  await db
    .insertInto('opt_outs')
    .values({ album_id, state: 'active', faces: 2, photos_to_hide: photos })
    .execute()
  await db
    .updateTable('albums')
    .set({ address_confirmed_at: new Date() })
    .where('id', '=', album_id)
    .execute()
  const ownersPage = optOutsLinks(site.context.keyring, site.url, { id: album_id, ...album }).owner
  const states = async () => {
    const rows = await db.selectFrom('photos').select('state').where('album_id', '=', album_id).execute()
    return rows.map(({ state }) => state)
  }

  await page.goto(ownersPage)
  await page.getByText('These guests do not want to be found.').waitFor()
  // The album's photos have no files.
  const notLoaded = page.getByText('Not loaded').first()
  await notLoaded.waitFor()
  const body = await readSample(1)
  await page.route('**/photos/*/thumb**', (route) => route.fulfill({ contentType: 'image/jpeg', body }))
  await notLoaded.waitFor({ state: 'detached' })
  const width = page.getByAltText('Photo 1').evaluate((image: HTMLImageElement) => image.naturalWidth)
  expect(await width).toBeGreaterThan(0)
  await expectNoAxeFault(page)
  expect(await states()).toEqual(['indexed', 'indexed'])

  const call = '**/trpc/albums.answerOptOuts**'
  await fail(page, call)
  await button(page, 'Keep them').click()
  await sees(page, 'Your answer could not be saved')
  await page.unroute(call)
  await button(page, 'Keep them').click()
  await sees(page, '2 photos are shown.')
  await button(page, 'Hide 2 photos').click()
  await sees(page, '2 photos are hidden.')
  expect(await states()).toEqual(['hidden', 'hidden'])
  await page.reload()
  await button(page, 'Show them again').click()
  await sees(page, '2 photos are shown.')
  expect(await states()).toEqual(['indexed', 'indexed'])
})
