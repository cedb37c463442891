import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { addCopies, enterAsGuest, searchWith, selfieOfSample1 } from './album-visits.ts'
import { hang } from './scene.ts'
import { siteTest } from './site-test.ts'
import { holdBack, sees, watchPlaces } from './visitor.ts'

const SEARCH = '**/api/search-in-album'

const test = siteTest()
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await site.fill(album, [1])
    await addCopies(site, album, 2)
    return album
  })
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
test.beforeAll(({ selfie }) => void selfie)

const kept = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('remembered')))
const remember = (page: Page) => page.getByRole('button', { name: 'Remember me on this phone' })
const forget = (page: Page) => page.getByRole('button', { name: 'Forget me' })

/** Lets this browser keep a ticket that the service has never made. */
const keepForged = (page: Page, albumName: string) =>
  page.evaluate((name) => {
    const endsAt = new Date(Date.now() + 86_400_000).toISOString()
    localStorage.setItem(`remembered ${name}`, JSON.stringify({ ticket: 'forged', endsAt, photoIds: [] }))
  }, albumName)

test('a remembered guest sees their photos at once without a selfie, and what is new, until they are forgotten', async ({
  visit,
  site,
  album,
  selfie,
}) => {
  const visitor = await visit({ device: 'phone' })
  const { page } = visitor
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 3 Photos!')
  expect(await kept(page)).toEqual([])
  await page
    .getByText(/encrypted description of your face for at most 30 days. Our server does not store it/)
    .waitFor()
  await remember(page).click()
  await forget(page).waitFor()
  expect(await kept(page)).toEqual([`remembered ${album.albumName}`])

  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('search-in-album')) sent.push(request.postDataBuffer()!.toString('latin1'))
  })
  await page.reload()
  await sees(page, 'Your photos, nothing new since your last visit')
  await addCopies(site, album, 2)
  await page.reload()
  await sees(page, 'Your photos, 2 new since your last visit')
  expect(sent).toHaveLength(2)
  for (const form of sent) expect(form).not.toContain('name="photo"')
  expect(page.url()).not.toContain('ticket')

  await forget(page).click()
  await page.getByRole('button', { name: 'Search Photos' }).waitFor()
  expect(await kept(page)).toEqual([])
  await page.reload()
  await page.getByRole('button', { name: 'Search Photos' }).waitFor()
  expect(sent).toHaveLength(2)
})

test('a ticket that is not valid any more is dropped, and the page says so above the search', async ({
  visitor,
  page,
  album,
}) => {
  await page.goto('/privacy-policy')
  await keepForged(page, album.albumName)
  await enterAsGuest(visitor, album)
  await sees(page, 'This browser no longer remembers you')
  await page.getByRole('button', { name: 'Search Photos' }).waitFor()
  expect(await kept(page)).toEqual([])
})

test('when the photos of a remembered guest cannot be loaded, the guest can try again, search or log out', async ({
  visitor,
  page,
  album,
}) => {
  await page.goto('/privacy-policy')
  await keepForged(page, album.albumName)
  await hang(page, SEARCH)
  await enterAsGuest(visitor, album)
  await sees(page, 'Looking for your photos...')
  await page.route(SEARCH, (route) => route.fulfill({ status: 500, json: { message: 'A fault' } }))
  await page.reload()
  await sees(page, 'Your photos could not be loaded')
  expect(await kept(page)).toHaveLength(1)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByLabel('Album password').waitFor()
  expect(await kept(page)).toEqual([])
})

test('the search button does not move while the code for the notice above it loads', async ({
  visitor,
  page,
  album,
}) => {
  await page.goto('/privacy-policy')
  await keepForged(page, album.albumName)
  await page.route(SEARCH, (route) => route.fulfill({ status: 500, json: { message: 'A fault' } }))
  const { held, letGo } = await holdBack(page, '**/remembered-notice-*.js')
  await enterAsGuest(visitor, album)
  const places = await watchPlaces(page, 'section button.w-full')
  await held
  letGo()
  await sees(page, 'Your photos could not be loaded')
  await page.getByRole('button', { name: 'Search Photos' }).waitFor()
  expect(await places()).toHaveLength(1)
})

test('a browser that cannot keep anything says so', async ({ visitor, page, album, selfie }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded', 'QuotaExceededError')
    }
  })
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await page.getByRole('button', { name: 'Remember me on this computer' }).click()
  await sees(page, 'You could not be remembered')
  await page.getByRole('button', { name: 'Remember me on this computer' }).waitFor()
})
