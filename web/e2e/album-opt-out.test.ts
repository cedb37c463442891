import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findAlbum } from '../../src/albums/queries.ts'
import { optOutsLink } from '../../src/opt-outs/owner-links.ts'
import { readSample } from '../../src/testing/client.ts'
import { anotherSelfie, enterAsGuest, searchWith, selfieOfSample1 } from './album-visits.ts'
import { HIDDEN } from './head.ts'
import { siteTest } from './site-test.ts'
import { variants } from './stage.ts'
import { sees } from './visitor.ts'

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

const open = (page: Page) => page.getByRole('button', { name: 'Take me out of this album' })
const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string, role: 'button' | 'link' = 'button') =>
  page.getByRole(role, { name, exact: true })

test('a guest hides the faces that are theirs, undoes it with the link of the receipt, and sees later what the organiser did', async ({
  page,
  site,
  visitor,
  album,
  selfie,
}) => {
  const own = await anotherSelfie(selfie)
  await enterAsGuest(visitor, album)
  await searchWith(page, own)
  await sees(page, 'Found 2 Photos!')
  await open(page).click()
  await dialog(page).getByRole('heading', { name: 'Take me out of this album' }).waitFor()
  await page.keyboard.press('Escape')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('Take me out of this album')
  await open(page).click()
  await dialog(page).getByLabel('Face 2 is me').uncheck()
  await sees(
    page,
    'The organiser then sees which photos, and so probably who you are. Without this, they see numbers only.',
  )
  await dialog(page).getByLabel('Ask the organiser to hide these photos').check()
  await button(page, 'Hide 1 face').click()
  await sees(page, 'You are hidden')
  await sees(page, 'The organiser is asked to hide 1 photo, and then sees which ones.')
  const rows = await site.database.db.selectFrom('opt_outs').selectAll().execute()
  expect(rows).toMatchObject([{ state: 'hidden', faces: 1, photos_to_hide: [expect.any(String)] }])
  const link = (await dialog(page).getByText('/opt-out#').textContent())!
  await button(page, 'Done').click()
  await searchWith(page, own)
  await sees(page, 'Found 1 Photo!')

  // Pasted into the page, as a guest does who has kept it somewhere.
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  expect((await page.goto('/opt-out'))!.headers()['x-robots-tag']).toBe(HIDDEN)
  await page.getByLabel('Paste the receipt').fill(link)
  await button(page, 'Open').click()
  await page.getByText('“Garden Party”').waitFor()
  const seesFocus = () => expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  await seesFocus()
  await button(page, 'Undo').click()
  await sees(page, 'This was undone')
  await seesFocus()
  await page.reload()
  await sees(page, 'This was undone')
  const receipt = link.split('#')[1]!
  expect(requests.filter((url) => url.includes(receipt) && !url.includes(`#${receipt}`))).toEqual([])

  await button(page, 'To the album', 'link').click()
  await sees(page, 'Found 2 Photos!')
  await open(page).click()
  await button(page, 'Hide 2 faces').click()
  await sees(page, 'You are hidden')
  await page.goto('about:blank')

  const { db } = site.database
  const { keyring } = site.context.services
  await page.goto(optOutsLink(keyring, site.url, (await findAlbum(db, { slug: album.albumName }))!))
  await button(page, 'Revoke').click()
  await dialog(page).getByText('although these people asked not to be found').waitFor()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await button(page, 'Revoke').click()
  await dialog(page).getByRole('button', { name: 'Revoke' }).click()
  await sees(page, 'Saved.')
  await seesFocus()
  const states = await db.selectFrom('opt_outs').select('state').orderBy('created_at').execute()
  expect(states.map(({ state }) => state)).toEqual(['undone', 'revoked'])
})

test('with a picture of the album, a guest is asked for a new selfie', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 2 Photos!')
  await open(page).click()
  await button(page, 'Take a new selfie').click()
  await button(page, 'Search Photos').waitFor()
})
