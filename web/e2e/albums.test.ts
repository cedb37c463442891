import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { LISTED_ALBUMS_SHOWN } from '../../src/contract/limits.ts'
import { addListedAlbums, showInList } from '../../src/testing/album-rows.ts'
import { sampleUploads } from '../../src/testing/client.ts'
import { siteTest } from './site-test.ts'
import { holdBack, sees } from './visitor.ts'

const test = siteTest({ work: false })

const LIST = '**/trpc/albums.list**'

const card = (page: Page, name: string) => page.locator('main li').filter({ hasText: name })

test('without an album the page offers to create one', async ({ page }) => {
  await page.goto('/albums')
  await page.getByRole('heading', { level: 1, name: 'Browse Photo Albums' }).waitFor()
  await page.getByRole('heading', { name: 'No Albums Yet' }).waitFor()
  expect(await page.title()).toBe('Browse Photo Albums · Inframe')
  await page.getByRole('link', { name: 'Create Album' }).click()
  await page.waitForURL('**/get-started')
})

test('each album has its name, its date, its path and a link to its page', async ({ page, site }) => {
  const { albumName } = await site.createAlbum('My Summer Wedding, 2025')
  await showInList(site.database.db, [albumName])
  await site.database.db
    .updateTable('albums')
    .set({ created_at: new Date('2025-06-20T12:00:00Z') })
    .where('slug', '=', albumName)
    .execute()
  await page.goto('/albums')
  const wedding = card(page, 'My Summer Wedding, 2025')
  await wedding.getByRole('heading', { level: 2, name: 'My Summer Wedding, 2025' }).waitFor()
  await wedding.getByText('Created June 20, 2025').waitFor()
  await wedding.getByText('/album/my-summer-wedding-2025', { exact: true }).waitFor()
  await wedding.getByText('Find My Photos', { exact: true }).click()
  await page.waitForURL('**/album/my-summer-wedding-2025')
})

test('while the list is loading, the page says so', async ({ page }) => {
  const { letGo } = await holdBack(page, LIST)
  await page.goto('/albums')
  await page.getByRole('status').getByText('Loading albums').waitFor()
  letGo()
  await card(page, 'My Summer Wedding, 2025').waitFor()
})

test('a list that does not load is loaded again at the press of a button', async ({ page }) => {
  // The page may ask twice by itself: when the visitor is on the way, and when they have arrived.
  await page.route(LIST, async (route) =>
    (await page.evaluate(() => document.documentElement.dataset.pressed)) ? route.continue() : route.abort(),
  )
  await page.goto('/albums')
  await page.getByRole('alert').getByText('Failed to fetch albums', { exact: true }).waitFor()
  await sees(page, 'The service could not be reached. Please check your internet connection.')
  await page.evaluate(() => {
    const note = () => {
      document.documentElement.dataset.pressed = 'yes'
    }
    document.addEventListener('click', note, { capture: true })
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await card(page, 'My Summer Wedding, 2025').waitFor()
})

test.for([320, 390, 1280])(
  'names of any length and script fit into %i pixels',
  async (width, { visit, site }) => {
    const names = [
      'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenversammlungsteilnehmerverzeichnisfeier'.repeat(
        1,
      ),
      'عيد ميلاد ليلى العاشر في حديقة البيت مع كل الأصدقاء',
      '二零二五年夏季公司年会暨家庭日活动照片',
      '👩‍👩‍👧‍👦🎉'.repeat(8),
    ]
    for (const name of names) {
      const { albumName } = await site.createAlbum(name)
      await showInList(site.database.db, [albumName])
    }
    const narrow = await visit({ viewport: { width, height: 800 } })
    await narrow.page.goto('/albums')
    for (const name of names) await narrow.page.getByRole('heading', { name }).first().waitFor()
    const overflow = await narrow.page.evaluate(() => {
      const cards = [...document.querySelectorAll('main li')]
      const pageTooWide = document.documentElement.scrollWidth > document.documentElement.clientWidth
      return pageTooWide || cards.some((one) => one.scrollWidth > one.clientWidth + 1)
    })
    expect(overflow).toBe(false)
  },
)

describe('more albums than one page shows', () => {
  const ALL = LISTED_ALBUMS_SHOWN + 10
  test.beforeEach(async ({ site }) => {
    const { db } = site.database
    await db.deleteFrom('albums').execute()
    await addListedAlbums(db, 'event', ALL)
  })
  const more = (page: Page) => page.getByRole('button', { name: 'Show more' })
  const cards = (page: Page) => page.locator('main li')
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  /** The link of the album at this place of the list, from 0. */
  const linkAt = (page: Page, place: number) =>
    cards(page).nth(place).getByRole('link').getAttribute('aria-label')

  test('are loaded at the press of a button, and the focus moves to the first of them', async ({ page }) => {
    await page.goto('/albums')
    await more(page).press('Enter')
    await sees(page, 'These are all the albums.')
    expect(await cards(page).count()).toBe(ALL)
    expect(await more(page).count()).toBe(0)
    expect(await focused(page)).toBe(await linkAt(page, LISTED_ALBUMS_SHOWN))
  })

  test('leave the focus where the visitor has moved it meanwhile', async ({ page }) => {
    await page.goto('/albums')
    await more(page).waitFor()
    const { held, letGo } = await holdBack(page, LIST)
    await more(page).press('Enter')
    await held
    await page.getByRole('button', { name: 'Loading...' }).waitFor()
    await cards(page).first().getByRole('link').focus()
    letGo()
    await sees(page, 'These are all the albums.')
    expect(await focused(page)).toBe(await linkAt(page, 0))
  })

  test('stay one press away when they could not be loaded', async ({ page }) => {
    await page.goto('/albums')
    await more(page).waitFor()
    await page.route(LIST, (route) => route.abort())
    await more(page).press('Enter')
    await page.getByRole('alert').getByText('Failed to fetch albums', { exact: true }).waitFor()
    expect(await cards(page).count()).toBe(LISTED_ALBUMS_SHOWN)
    await page.unroute(LIST)
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await sees(page, 'These are all the albums.')
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await focused(page)).toBe(await linkAt(page, LISTED_ALBUMS_SHOWN))
  })

  test('need no button when all fit on one page', async ({ page, site }) => {
    await site.database.db.deleteFrom('albums').where('slug', 'like', 'event-1_').execute()
    await page.goto('/albums')
    await cards(page).first().waitFor()
    expect(await cards(page).count()).toBe(LISTED_ALBUMS_SHOWN)
    expect(await more(page).count()).toBe(0)
    expect(await page.getByText('These are all the albums.').count()).toBe(0)
  })
})

test('an album joins the list with its first photos, also on a list that was loaded before', async ({
  page,
  visitor,
  site,
}) => {
  await page.goto('/albums')
  const album = await site.createAlbum('New Party')
  await page.reload()
  await sees(page, 'Browse Photo Albums')
  await page.getByText('Loading albums').waitFor({ state: 'detached' })
  expect(await card(page, 'New Party').count()).toBe(0)
  await visitor.becomeOrganiser({
    userEmail: 'owner@example.com',
    eventName: album.displayName,
    userAlbumId: album.ownerKey,
  })
  await page.goto('/bulk-upload')
  // Within the web app, so that the list stays loaded.
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Albums' }).click()
  await sees(page, 'Browse Photo Albums')
  await page.getByText('Loading albums').waitFor({ state: 'detached' })
  await page.goBack()
  const [sample] = await sampleUploads([1])
  await page
    .locator('input[type=file]:not([webkitdirectory])')
    .setInputFiles({ name: sample!.name, mimeType: 'image/jpeg', buffer: sample!.bytes })
  await page.getByRole('button', { name: 'Upload 1 Photo' }).click()
  await page.waitForURL('**/upload-success')
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Albums' }).click()
  await card(page, 'New Party').waitFor()
})
