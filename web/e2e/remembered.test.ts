import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findAlbum } from '../../src/albums/queries.ts'
import { lookForNews } from '../../src/jobs/alerts.ts'
import { optOutsLinks } from '../../src/letters/links.ts'
import { searchUnknown } from '../../src/search/search-token.ts'
import { readSample } from '../../src/testing/client.ts'
import {
  addCopies,
  anotherSelfie,
  searchAsGuest,
  searchWith,
  selfieOfSample1,
  variants,
} from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import { letterWith } from './outbox.ts'
import { changeAnswers } from './search-answers.ts'
import { siteTest } from './site-test.ts'
import { button, sees, seesToast } from './visitor.ts'

const SEARCH = '**/api/search-in-album'

const test = siteTest()
  /** Two photos with the same three faces. */
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    const bytes = await readSample(1)
    await site.fill(album, [{ name: 'sample1.jpg', bytes }, ...(await variants(bytes, 1))])
    return album
  })
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
test.beforeAll(({ selfie }) => void selfie)

const dialog = (page: Page) => page.getByRole('dialog')
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const takeMeOut = (page: Page) => button(page, 'Take me out of this album')
const kept = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('remembered')))

const linkIn = (letter: string, use: string) => new RegExp(`http\\S+#${use}=[\\w-]+`).exec(letter)![0]

async function askForLetters(page: Page, address: string): Promise<void> {
  await page.getByLabel('Email Address').fill(address)
  await page.getByLabel('I agree that my address').check()
  await button(page, 'Send the first letter').click()
  await page.getByText(/^Please check your email\./).waitFor()
}

test('a guest hides the faces that are theirs, undoes it with the link of the receipt, and sees later what the organiser did', async ({
  page,
  site,
  visitor,
  album,
  selfie,
}) => {
  const { db } = site.database
  const seesFocus = () => expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  await searchAsGuest(visitor, album, selfie)
  await sees(page, 'Found 2 Photos!')
  // A picture of the album does not say who the guest is.
  await takeMeOut(page).click()
  await button(page, 'Take a new selfie').waitFor()
  await expectNoAxeFault(page)
  await button(page, 'Take a new selfie').click()
  const own = await anotherSelfie(selfie)
  await searchWith(page, own)
  await sees(page, 'Found 2 Photos!')
  await button(page, 'Write to me').click()
  await askForLetters(page, 'kim@example.com')
  await takeMeOut(page).click()
  await dialog(page).getByRole('heading', { name: 'Take me out of this album' }).waitFor()
  await dialog(page).getByLabel('Face 2 is me').uncheck()
  await page.getByText(/^The organiser then sees which photos, and so probably who you are/).waitFor()
  await dialog(page).getByLabel('Ask the organiser to hide these photos').check()
  await expectNoAxeFault(page)
  await button(page, 'Hide 1 face').click()
  await sees(page, 'You are hidden')
  await sees(page, 'The organiser is asked to hide 1 photo, and then sees which ones.')
  await sees(page, 'The letters about new photos of you have ended.')
  await expectNoAxeFault(page)
  expect(await db.selectFrom('photo_alerts').select('id').execute()).toEqual([])
  const rows = await db.selectFrom('opt_outs').selectAll().execute()
  expect(rows).toMatchObject([{ state: 'active', faces: 1, photos_to_hide: [expect.any(String)] }])
  const receipt = (await dialog(page).getByText('/opt-out#').textContent())!
  await button(page, 'Done').click()
  await searchWith(page, own)
  await sees(page, 'Found 1 Photo!')

  await page.goto('/opt-out')
  await sees(page, 'This receipt is not valid')
  await expectNoAxeFault(page)
  await page.goto(receipt)
  await page.getByText('“Garden Party”').waitFor()
  await expectNoAxeFault(page)
  await button(page, 'Undo').click()
  await sees(page, 'This was undone')
  await seesFocus()
  await page.reload()
  await sees(page, 'This was undone')

  await link(page, 'To the album').click()
  await sees(page, 'Found 2 Photos!')
  await takeMeOut(page).click()
  await button(page, 'Hide 2 faces').click()
  await sees(page, 'You are hidden')
  await page.setViewportSize({ width: 390, height: 500 })
  await link(page, 'Undo').click()
  await page.getByText('“Garden Party”').waitFor()
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await page.goto('about:blank')

  const { keyring } = site.context
  const row = (await findAlbum(db, { slug: album.albumName }))!
  await db.updateTable('albums').set({ address_confirmed_at: new Date() }).where('id', '=', row.id).execute()
  await db.insertInto('opt_outs').values({ album_id: row.id, state: 'active', faces: 3 }).execute()
  await page.goto(optOutsLinks(keyring, site.url, row).owner)
  await button(page, 'Revoke all 2 of this day').waitFor()
  await expectNoAxeFault(page)
  await button(page, 'Revoke all 2 of this day').click()
  await dialog(page).getByText('although these people asked not to be found').waitFor()
  await expectNoAxeFault(page)
  await dialog(page).getByRole('button', { name: 'Revoke' }).click()
  await sees(page, 'Saved.')
  await seesFocus()
  const states = await db.selectFrom('opt_outs').select('state').orderBy('created_at').execute()
  expect(states.map(({ state }) => state)).toEqual(['undone', 'undone', 'undone'])
})

test('a guest asks for letters, confirms the address, gets one about new photos, and ends them', async ({
  page,
  site,
  visitor,
  selfie,
}) => {
  const { db } = site.database
  const alerts = () => db.selectFrom('photo_alerts').selectAll().execute()
  const album = await site.createAlbum('Lake Party')
  await site.fill(album, [1])
  await searchAsGuest(visitor, album, selfie)
  await button(page, 'Write to me').click()
  await page.getByLabel('Email Address').fill('kim@example.com')
  expect(await button(page, 'Send the first letter').isDisabled(), 'without the consent').toBe(true)
  await expectNoAxeFault(page)
  await askForLetters(page, 'kim@example.com')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('kim@example.com')
  // Ended on the page, and asked for again.
  await page.reload()
  await page.getByText(/The letters begin when you press the link in the first one/).waitFor()
  await expectNoAxeFault(page)
  await button(page, 'End the letters').click()
  await button(page, 'Write to me').click()
  expect(await alerts()).toEqual([])
  await askForLetters(page, 'guest@example.com')

  const letter = await letterWith(site, 'guest@example.com', 'Please confirm your email address')
  await page.goto(linkIn(letter, 'confirm'))
  expect(await alerts()).toMatchObject([{ confirmed_at: null }])
  await expectNoAxeFault(page)
  await button(page, 'Yes, write to me').click()
  await sees(page, 'Your address is confirmed')
  await link(page, 'Open the album').click()
  await button(page, 'Search Again').waitFor()
  await page.getByText('We write to you when there are new photos of you, until').waitFor()
  expect(await page.getByText('The letters begin when').count()).toBe(0)
  expect(await button(page, 'Send it again').count()).toBe(0)

  await site.fill(album, (await variants(await readSample(1), 2)).slice(1))
  const deps = site.context
  await lookForNews.run(deps, {}, { attempt: 1 })
  const news = await letterWith(site, 'guest@example.com', '1 new photo of you in Lake Party')
  expect(news).toContain(`${site.url}/album/${album.albumName}`)
  expect(news).not.toContain(album.password)
  expect(news).toMatch(/^List-Unsubscribe:\s+<http\S+\?token=/m)
  await page.goto(linkIn(news, 'end'))
  expect(await alerts()).toHaveLength(1)
  await button(page, 'End these letters').click()
  await sees(page, 'The letters have ended')
  await expectNoAxeFault(page)
  expect(await alerts()).toEqual([])

  await page.goto(`/album/${album.albumName}`)
  await button(page, 'Search Again').waitFor()
  await button(page, 'Write to me').waitFor()
  expect(await page.getByText('Please check your email').count()).toBe(0)
  // Nobody has pressed anything, so the page does not scroll there.
  expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('photo-alert')
})

test('a remembered guest sees their photos at once without a selfie, and what is new, until they are forgotten', async ({
  visit,
  site,
  album,
  selfie,
}) => {
  const visitor = await visit({ device: 'phone' })
  const { page } = visitor
  const sent = await changeAnswers(page, (answer) => answer)
  await searchAsGuest(visitor, album, selfie)
  await sees(page, 'Found 2 Photos!')
  expect(await kept(page)).toEqual([])
  await page
    .getByText(/encrypted description of your face for at most 30 days. Our server does not store it/)
    .waitFor()
  await button(page, 'Remember me on this device').click()
  await button(page, 'Forget me').waitFor()
  expect(await kept(page)).toEqual([`remembered ${album.albumName}`])

  await page.reload()
  await sees(page, 'Your photos, nothing new since your last visit')
  await addCopies(site, album, 2)
  await page.reload()
  await sees(page, 'Your photos, 2 new since your last visit')
  await expectNoAxeFault(page)
  // The search, the button, and two visits.
  expect(sent.map(({ selfies }) => selfies)).toEqual([1, 0, 0, 0])
  expect(page.url()).not.toContain('oken')

  await button(page, 'Forget me').click()
  await button(page, 'Search Photos').waitFor()
  expect(await kept(page)).toEqual([])
  await page.reload()
  await button(page, 'Search Photos').waitFor()
  expect(sent).toHaveLength(4)

  // What is kept stays while its photos cannot be loaded, and is dropped when it is not valid or the guest logs out.
  const keepForged = () =>
    page.evaluate((name) => {
      const endsAt = new Date(Date.now() + 86_400_000).toISOString()
      localStorage.setItem(
        `remembered ${name}`,
        JSON.stringify({ searchToken: 'forged', endsAt, photoIds: [] }),
      )
    }, album.albumName)
  await keepForged()
  await page.route(SEARCH, (route) =>
    route.fulfill({ status: 500, json: { message: 'A fault', code: 'INTERNAL_SERVER_ERROR' } }),
  )
  await page.reload()
  await seesToast(page, 'Search failed', 'A fault')
  await button(page, 'Show my photos').waitFor()
  await expectNoAxeFault(page)
  expect(await kept(page)).toHaveLength(1)
  await page.unroute(SEARCH)
  await page.reload()
  await sees(page, 'Your results have ended')
  await sees(page, searchUnknown().message)
  await button(page, 'Search Photos').waitFor()
  expect(await kept(page)).toEqual([])

  await keepForged()
  await button(page, 'Log out').click()
  await page.getByLabel('Album password').waitFor()
  expect(await kept(page)).toEqual([])
})
