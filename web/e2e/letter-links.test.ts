import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { letterLinks } from '../../src/albums/letter-links.ts'
import { findAlbum } from '../../src/albums/queries.ts'
import { waitUntil } from '../../src/testing/wait.ts'
import { HIDDEN } from './head.ts'
import { fail } from './scene.ts'
import type { Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { holdBack, sees } from './visitor.ts'

const test = siteTest({ work: false })
  /** A new album for each test, with the links of its letters. */
  .extend('letter', async ({ site }) => {
    const { albumName } = await site.createAlbum()
    const read = async () => (await findAlbum(site.database.db, { slug: albumName }))!
    const { keyring } = site.context.services
    return { albumName, read, ...letterLinks(keyring, site.url, await read()) }
  })

const stop = (page: Page) => page.getByRole('button', { name: 'Stop these letters' }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const addressOf = (site: Site, page: Page) => page.url().replace(site.url, '')

test("the letter's link opens the album, confirms the address, and leaves the address bar without the token", async ({
  page,
  site,
  letter,
}) => {
  await page.goto(letter.open)
  await heading(page, 'Access Album')
  await expect.poll(() => addressOf(site, page)).toBe(`/album/${letter.albumName}`)
  await waitUntil('the confirmation', async () => (await letter.read()).address_confirmed_at)
  await page.goto('/')
  await page.goBack()
  await heading(page, 'Access Album')
  expect(addressOf(site, page)).toBe(`/album/${letter.albumName}`)
})

test('the token is in no address that is sent over the network', async ({ page, letter }) => {
  const token = letter.open.split('#letter=')[1]!
  const requests: { url: string; referer: string | undefined }[] = []
  page.on('request', (request) => requests.push({ url: request.url(), referer: request.headers().referer }))
  await page.goto(letter.open)
  await heading(page, 'Access Album')
  await waitUntil('the confirmation', async () => (await letter.read()).address_confirmed_at)
  const sent = requests.filter(({ url }) => !url.startsWith(letter.open))
  expect(JSON.stringify(sent)).not.toContain(token)
})

test('an album that is opened through a letter of no value, or while the service fails, still opens', async ({
  page,
  letter,
}) => {
  await page.goto(`${letter.plain}#letter=${'x'.repeat(43)}`)
  await heading(page, 'Access Album')
  await fail(page, '**/trpc/letters.confirm**')
  await page.goto(letter.plain)
  await page.goto(letter.open)
  await heading(page, 'Access Album')
  expect((await letter.read()).address_confirmed_at).toBeNull()
})

test('the letters end when the button is pressed, and not before', async ({ page, letter }) => {
  const answer = await page.goto(letter.stop)
  expect(answer!.headers()['x-robots-tag']).toBe(HIDDEN)
  await heading(page, 'This was not me')
  expect((await letter.read()).letters_ended_at).toBeNull()
  await stop(page)
  await heading(page, 'The letters have stopped')
  expect((await letter.read()).letters_ended_at).not.toBeNull()
  await page.reload()
  await stop(page)
  await heading(page, 'The letters have already stopped')
})

test('the address in the header of a letter leads to the same page', async ({ page, letter }) => {
  await page.goto(letter.stopUrl)
  await stop(page)
  await heading(page, 'The letters have stopped')
})

test('the button shows that its call is running, and can be pressed again after a failure', async ({
  page,
  letter,
}) => {
  const { held, letGo } = await holdBack(page, '**/trpc/letters.stop**')
  await page.goto(letter.stop)
  await stop(page)
  await held
  const busy = page.getByRole('button', { name: 'Stopping...' })
  expect(await busy.isDisabled()).toBe(true)
  letGo()
  await heading(page, 'The letters have stopped')

  await page.unroute('**/trpc/letters.stop**')
  await fail(page, '**/trpc/letters.stop**')
  await page.reload()
  await stop(page)
  await sees(page, 'The letters could not be stopped')
  await sees(page, 'The service is busy. Please try again in a moment.')
  await page.unroute('**/trpc/letters.stop**')
  await stop(page)
  await heading(page, 'The letters have already stopped')
})

test('without a network the page says so', async ({ page, visitor, letter }) => {
  await page.goto(letter.stop)
  await heading(page, 'This was not me')
  await visitor.context.setOffline(true)
  await stop(page)
  await sees(page, 'The service could not be reached. Please check your internet connection.')
})

test.for(['', '#half-a-link', '?token=half-a-link'])(
  'a link that is not valid says so: %s',
  async (end, { page }) => {
    await page.goto(`/stop-letters${end}`)
    if (end) await stop(page)
    await heading(page, 'This link is not valid')
  },
)

test('another link that is pasted into the tab of a page begins the page again', async ({ page, letter }) => {
  await page.goto(letter.stop)
  await stop(page)
  await heading(page, 'The letters have stopped')
  // Only what is behind the # changes, so the browser loads no new page.
  await page.goto('/stop-letters#half-a-link')
  await heading(page, 'This was not me')
  await stop(page)
  await heading(page, 'This link is not valid')
})
