import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { LISTED_ALBUMS_SHOWN } from '../../src/contract/limits.ts'
import { addListedAlbums, showInList } from '../../src/testing/album-rows.ts'
import { fillWithRows } from './album-visits.ts'
import { ALBUM_MAX_BYTES, weighUntil } from './album-weight.ts'
import { expectNoAxeFault } from './axe.ts'
import { siteTest } from './site-test.ts'
import { focusIsOn, sees, seesToast } from './visitor.ts'

const test = siteTest({ work: false })

const LIST = '**/trpc/albums.list**'
const TOAST = '[aria-label^="Notification"] li[data-state=open]'

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const footer = (page: Page) => page.getByRole('navigation', { name: 'Footer' })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const howItWorks = (page: Page) =>
  page.getByRole('heading', { name: 'How It Works - 4 simple steps', level: 2 })
const arrive = (page: Page, path: string) =>
  page.waitForURL((address) => address.pathname + address.hash === path)
const arriveAtSection = (page: Page) =>
  page.waitForFunction(() => window.scrollY > 200 && document.activeElement?.id === 'how-it-works')

test('the landing page says what the product is, loads nothing from elsewhere, and leads to the form and back', async ({
  page,
  site,
}) => {
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(site.url)) foreign.push(request.url())
  })
  await page.goto('/')
  expect(await page.title()).toBe('Inframe')
  await heading(page, 'Let facial recognition do your photo tagging.')
  expect(
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { level: 3 }) })
      .count(),
  ).toBe(4)
  await expectNoAxeFault(page)
  await page.getByRole('link', { name: 'Get Started', exact: true }).click()
  await arrive(page, '/get-started')
  await page.getByRole('banner').getByRole('link', { name: 'Inframe' }).click()
  await arrive(page, '/')

  await footer(page).getByRole('link', { name: 'Privacy' }).click()
  await arrive(page, '/privacy-policy')
  await focusIsOn(page, 'main')
  await bar(page).getByRole('link', { name: 'How it works' }).click()
  await arrive(page, '/#how-it-works')
  await arriveAtSection(page)
  // Under the bar, not behind it.
  expect((await howItWorks(page).boundingBox())!.y).toBeGreaterThanOrEqual(64)
  await page.evaluate(() => window.scrollTo(0, 0))
  await bar(page).getByRole('link', { name: 'How it works' }).click()
  await arriveAtSection(page)
  await page.goto('about:blank')
  await page.goto('/#how-it-works')
  await arriveAtSection(page)
  expect(foreign).toEqual([])
})

test('the landing page fits any width', async ({ page }) => {
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/')
    await howItWorks(page).waitFor()
    // A scroll bar across would show that something is wider than the window.
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect.soft(tooWide, `at ${width} pixels`).toBeLessThanOrEqual(0)
  }
})

test('the list of albums can be loaded again after a failure, and shows more at the press of a button', async ({
  page,
  site,
}) => {
  const { db } = site.database
  const { albumName } = await site.createAlbum('My Summer Wedding, 2025')
  await showInList(db, [albumName])
  const created_at = new Date('2020-06-20T12:00:00Z')
  await db.updateTable('albums').set({ created_at }).where('slug', '=', albumName).execute()
  await addListedAlbums(db, 'event', LISTED_ALBUMS_SHOWN + 9)
  const cards = page.locator('main li')

  await page.route(LIST, (route) => route.abort(), { times: 1 })
  await page.goto('/albums/')
  await page.getByRole('alert').getByText('Failed to fetch albums', { exact: true }).waitFor()
  await expectNoAxeFault(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Show more' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/albums')
  expect(await page.title()).toBe('Browse Photo Albums · Inframe')
  expect(await cards.count()).toBe(LISTED_ALBUMS_SHOWN)
  await expectNoAxeFault(page)

  await page.route(LIST, (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Show more' }).press('Enter')
  await page.getByRole('alert').getByText('Failed to fetch albums', { exact: true }).waitFor()
  await sees(page, 'The service could not be reached. Please check your internet connection.')
  await expectNoAxeFault(page)
  expect(await cards.count()).toBe(LISTED_ALBUMS_SHOWN)
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await sees(page, 'These are all the albums.')
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await cards.count()).toBe(LISTED_ALBUMS_SHOWN + 10)
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  // The focus is on the first of those that came.
  await cards.nth(LISTED_ALBUMS_SHOWN).locator('a:focus').waitFor()

  const wedding = cards.filter({ hasText: 'My Summer Wedding, 2025' })
  await wedding.getByRole('heading', { level: 2, name: 'My Summer Wedding, 2025' }).waitFor()
  await wedding.getByText('Created June 20, 2020').waitFor()
  await wedding.getByText('/album/my-summer-wedding-2025', { exact: true }).waitFor()
  await wedding.getByText('Find My Photos', { exact: true }).click()
  await page.waitForURL('**/album/my-summer-wedding-2025')
})

test('in the place of a photo whose address is refused, a page says why', async ({ page }) => {
  const answer = await page.goto(`/photos/${crypto.randomUUID()}/full?e=1&v=1&s=none`)
  expect(answer!.status()).toBe(403)
  await sees(page, 'This photo cannot be shown')
  await page.getByRole('status').getByText('This link is not valid').waitFor()
  await expectNoAxeFault(page)
  await page.getByRole('link', { name: 'Browse Photo Albums' }).click()
  await page.waitForURL('**/albums')
})

test('a page that does not exist is answered with 404, and leads to /selfie, which needs an album', async ({
  page,
  visitor: { becomeOrganiser },
}) => {
  const answer = await page.goto('/no/such/page')
  expect(answer!.status()).toBe(404)
  await sees(page, '404 Page Not Found')
  expect(await page.title()).toBe('Page Not Found · Inframe')
  await expectNoAxeFault(page)
  await page.getByRole('link', { name: 'Find your photos' }).click()
  await page.waitForURL('**/get-started')
  await sees(page, 'Create an album before you search with a selfie')
  await expectNoAxeFault(page)
  await page.getByRole('link', { name: 'browse the photo albums' }).click()
  await page.waitForURL('**/albums')
  // Who comes by another way reads no reason.
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByRole('link', { name: 'Get Started', exact: true }).click()
  await sees(page, 'Set up your album.')
  await expectNoAxeFault(page)
  expect(await page.getByText(/^Create an album before/).count()).toBe(0)

  // As where ALBUM_CREATION is closed.
  await page.route('**/get-started', async (route) => {
    const response = await route.fetch()
    const setting = '<meta name="inframe-album-creation" content="closed" /></head>'
    await route.fulfill({ response, body: (await response.text()).replace('</head>', setting) })
  })
  await page.reload()
  await sees(page, 'New albums cannot be created here at the moment')
  await expectNoAxeFault(page)

  await becomeOrganiser({ userEmail: 'o@example.com', eventName: 'Garden Party', userAlbumId: 'key' })
  await page.goto('/selfie/results/a/b')
  await page.getByRole('link', { name: 'Find your photos' }).click()
  await page.waitForURL('**/selfie')
  await sees(page, 'Find your photos at Garden Party')
  await expect.poll(() => page.title()).toBe('Upload a selfie · Inframe')
})

test('every page links to the privacy policy and the terms, which are dated and say what was added', async ({
  page,
}) => {
  await page.goto('/albums')
  for (const [link, title] of [
    ['Terms', 'Terms of Service'],
    ['Privacy', 'Privacy Policy'],
  ] as const) {
    await footer(page).getByRole('link', { name: link }).click()
    await heading(page, title)
    await expectNoAxeFault(page)
    expect(await page.title()).toBe(`${title} · Inframe`)
    const additions = page.getByRole('region', { name: 'Additions since' }).getByRole('listitem')
    expect(await additions.last().innerText()).toMatch(/^[A-Z][a-z]+ \d+, 2026: /)
    expect(await page.getByRole('main').innerText()).toMatch(
      /Last updated: August 19, 2025.*Additions since/s,
    )
  }
})

test('a toast goes on across pages, ends after five seconds, and does not come back with its page', async ({
  page,
  clock,
}) => {
  await page.goto('/gmail-oauth')
  // Without an account of its own, pressing the button shows a toast without a call.
  await page.getByRole('button', { name: 'Exchange Code for Tokens' }).click()
  await seesToast(page, 'Error')
  // By the keyboard: the toast may cover the link.
  await page.getByRole('link', { name: 'Privacy' }).press('Enter')
  await heading(page, 'Privacy Policy')
  expect(await page.locator(TOAST).count()).toBe(1)
  await clock.pass(5_000)
  await page.locator(TOAST).waitFor({ state: 'detached' })
  await page.goBack()
  await heading(page, 'Gmail OAuth Setup')
  expect(await page.locator(TOAST).count()).toBe(0)
})

test('the album page is light enough where it asks for the password, takes a selfie, or shows the progress', async ({
  visit,
  site,
}) => {
  for (const [selector, isFilled] of [
    ['input[name=password]', false],
    ['main [role=button]', true],
    ['[role=progressbar]', false],
  ] as const) {
    const album = await site.createAlbum()
    if (isFilled) await fillWithRows(site, album, 1)
    const { page, signInAs } = await visit()
    if (!selector.startsWith('input')) await signInAs(album.owner)
    const bytes = await weighUntil(page, selector, () => page.goto(`/album/${album.albumName}`))
    expect.soft(bytes, selector).toBeLessThan(ALBUM_MAX_BYTES)
    // React, the router and the calls alone are three quarters of it: a smaller sum means that something was not counted.
    expect.soft(bytes, selector).toBeGreaterThan(0.75 * ALBUM_MAX_BYTES)
  }
})
