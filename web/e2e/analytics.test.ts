import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { shownPhoto } from '../../src/search/shown-photo.ts'
import { sampleUploads } from '../../src/testing/client.ts'
import { samplePath } from '../../src/testing/sample-photos.ts'
import type { Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { prepareSubmissions } from './submissions.ts'
import { sees, type Visitor } from './visitor.ts'

const GOOGLE = 'https://www.googletagmanager.com'

/** The test of a site with these variables. Its `heard` is what the visitor's page warns of and asks for. */
const testOf = (env: Record<string, string>) =>
  siteTest({ work: false, env }).extend('heard', async ({ page }) => {
    const warnings: string[] = []
    const requests: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    page.on('request', (request) => requests.push(request.url()))
    await page.route(`${GOOGLE}/**`, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
    return { warnings, requests }
  })

const test = testOf({})
const testWithId = testOf({ ANALYTICS_MEASUREMENT_ID: 'G-TEST123' })

/** Shows two photos found by a submission. */
async function openResults(page: Page, site: Site): Promise<void> {
  const submissions = await prepareSubmissions(site)
  const id = await submissions.submit()
  await submissions.match(id, 2)
  await page.goto(`/selfie/results/${id}`)
  await sees(page, 'We found 2 photos of you.')
}

/** Shows a photo found in an album. */
async function searchAlbum({ page, signInAs }: Visitor, site: Site): Promise<void> {
  const album = await site.createAlbum('Garden Party')
  await album.owner.uploadPhotos(album.ownerKey, await sampleUploads([1]), { totalIntendedPhotos: 1 })
  const { db } = site.database
  await db.updateTable('albums').set({ photos_settled: 1, completed_at: new Date() }).execute()
  const photo = await db
    .selectFrom('photos')
    .selectAll()
    .where('filename', '=', 'sample1.jpg')
    .executeTakeFirstOrThrow()
  const shown = shownPhoto(site.context.services.links, site.url, { ...photo, password_version: 1 })
  const photos = [{ ...shown, similarity: 99 }]
  await page.route('**/api/search-in-album', (route) =>
    route.fulfill({
      json: { matchedPhotos: [], photos, totalMatches: 1, possible: [], selfies: [], canRemember: false },
    }),
  )
  await signInAs(album.owner)
  await page.goto(`/album/${album.albumName}`)
  await page.locator('input[type=file]').first().setInputFiles(samplePath(1))
  await page.getByRole('button', { name: 'Search Photos' }).click()
  await page.getByRole('heading', { name: 'Found 1 Photo!' }).waitFor()
}

/** What Google's tag gets: one list for each command. */
const commands = (page: Page) =>
  page.evaluate(() =>
    (globalThis as { dataLayer?: Iterable<unknown>[] }).dataLayer?.map((command) => [...command]),
  )

async function download(page: Page, filename: string): Promise<void> {
  await page.getByRole('listitem').first().hover()
  await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: `Download ${filename}` }).click(),
  ])
}

test('without a measurement id a download says so in the console, once, and nothing else', async ({
  page,
  site,
  heard,
}) => {
  const { warnings, requests } = heard
  await openResults(page, site)
  expect(warnings).toEqual([])
  await download(page, 'IMG_4210.jpg')
  await download(page, 'IMG_4211.jpg')
  expect(warnings).toEqual(['Downloads are not counted: the analytics measurement id is missing'])
  expect(requests.filter((url) => !url.startsWith(site.url))).toEqual([])
  expect(await commands(page)).toBeUndefined()
})

testWithId(
  "with one, a download loads Google's tag and sends the event, without who or what",
  async ({ page, site, heard }) => {
    const { warnings, requests } = heard
    await openResults(page, site)
    const isGoogle = (url: string) => !url.startsWith(site.url)
    expect(requests.filter(isGoogle)).toEqual([])

    await download(page, 'IMG_4210.jpg')
    await download(page, 'IMG_4211.jpg')
    await expect.poll(() => requests.filter(isGoogle)).toEqual([`${GOOGLE}/gtag/js?id=G-TEST123`])
    expect(warnings).toEqual([])
    const denied = {
      ad_storage: 'denied',
      ad_user_data: 'denied',
      ad_personalization: 'denied',
      analytics_storage: 'denied',
    }
    expect(await commands(page)).toEqual([
      ['consent', 'default', denied],
      ['set', { page_location: `${site.url}/`, page_referrer: site.url, page_title: 'Inframe' }],
      ['js', expect.any(Date)],
      [
        'config',
        'G-TEST123',
        expect.objectContaining({ send_page_view: false, allow_google_signals: false }),
      ],
      ['event', 'Photo Downloaded'],
      ['event', 'Photo Downloaded'],
    ])
    expect(JSON.stringify(await commands(page))).not.toMatch(/IMG_|photos\/|results/)
  },
)

testWithId('a download from the album page is counted, too', async ({ page, visitor, site, heard }) => {
  await searchAlbum(visitor, site)
  await download(page, 'sample1.jpg')
  expect(heard.warnings).toEqual([])
  expect(await commands(page)).toContainEqual(['event', 'Photo Downloaded'])
})

testWithId('a download from the viewer, and a zip, are counted, too', async ({ page, site }) => {
  const counted = async () => (await commands(page))?.filter(([command]) => command === 'event').length
  await openResults(page, site)
  await page.getByRole('link', { name: 'Open IMG_4210.jpg' }).click()
  const viewer = page.getByRole('dialog')
  await Promise.all([page.waitForEvent('download'), viewer.getByRole('link', { name: 'Download' }).click()])
  await expect.poll(counted).toBe(1)

  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'detached' })
  await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download all 2' }).click(),
  ])
  await expect.poll(counted).toBe(2)
})
