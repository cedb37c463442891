import type { Page } from 'playwright-core'
import { expect } from 'vitest'
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
  await page.route(LIST, (route) => route.abort())
  await page.goto('/albums')
  await page.getByRole('alert').getByText('Failed to fetch albums', { exact: true }).waitFor()
  await sees(page, 'The service could not be reached. Please check your internet connection.')
  await page.unroute(LIST)
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
    for (const name of names) await site.createAlbum(name)
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

test('hundreds of albums are one list', async ({ page, site }) => {
  const { db } = site.database
  const { id: _, ...row } = await db.selectFrom('albums').selectAll().limit(1).executeTakeFirstOrThrow()
  await db
    .insertInto('albums')
    .values(
      Array.from({ length: 300 }, (_one, index) => ({
        ...row,
        slug: `many-${index}`,
        display_name: `Many ${index}`,
        owner_key_hash: Buffer.from(`many ${index}`),
      })),
    )
    .execute()
  await page.goto('/albums')
  await card(page, 'Many 299').waitFor()
  expect(await page.locator('main li').count()).toBeGreaterThanOrEqual(300)
})
