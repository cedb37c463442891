import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addressesOf } from '../../src/search/addresses.ts'
import { sampleUploads } from '../../src/testing/client.ts'
import { samplePath } from '../../src/testing/sample-photos.ts'
import { launchBrowser } from './browser.ts'
import { type Site, startSite } from './site.ts'
import { prepareSubmissions } from './submissions.ts'
import { newVisitor, sees, type Visitor } from './visitor.ts'

const GOOGLE = 'https://www.googletagmanager.com'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
}, 60_000)
afterAll(() => browser?.close())

let site: Site
let page: Page
let warnings: string[]
let requests: string[]

/** Shows two photos found by a submission, on a site with these variables. */
async function openResults(env: Record<string, string>): Promise<void> {
  await visit(env)
  const submissions = await prepareSubmissions(site)
  const id = await submissions.hand()
  await submissions.match(id, 2)
  await page.goto(`/selfie/results/${id}`)
  await sees(page, 'We found 2 photos of you.')
}

/** Shows a photo found in an album. */
async function searchAlbum(env: Record<string, string>): Promise<void> {
  const visitor = await visit(env)
  const album = await site.createAlbum('Garden Party')
  await album.owner.uploadPhotos(album.ownerKey, await sampleUploads([1]), { totalIntendedPhotos: 1 })
  const { db } = site.database
  await db.updateTable('albums').set({ completed_at: new Date() }).execute()
  const { id, filename } = await db.selectFrom('photos').selectAll().executeTakeFirstOrThrow()
  const addresses = addressesOf(site.context.services.links, site.url, { id, password_version: 1 })
  const photos = [{ ...addresses, filename, similarity: 99 }]
  await page.route('**/api/search-in-album', (route) =>
    route.fulfill({ json: { matchedPhotos: [], photos } }),
  )
  await visitor.signInAs(album.owner)
  await page.goto(`/album/${album.albumName}`)
  await page.locator('input[type=file]').first().setInputFiles(samplePath(1))
  await page.getByRole('button', { name: 'Search Photos' }).click()
  await page.getByRole('heading', { name: 'Found 1 Photo!' }).waitFor()
}

/** Opens a site with these variables, and a browser that notes its warnings and requests. */
async function visit(env: Record<string, string>): Promise<Visitor> {
  site = await startSite({ work: false, env })
  onTestFinished(() => site.close())
  const visitor = await newVisitor(browser, site.url)
  onTestFinished(visitor.leave)
  page = visitor.page
  warnings = []
  requests = []
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
  page.on('request', (request) => requests.push(request.url()))
  await page.route(`${GOOGLE}/**`, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  return visitor
}

/** What Google's tag gets: one list for each command. */
const commands = () =>
  page.evaluate(() =>
    (globalThis as { dataLayer?: Iterable<unknown>[] }).dataLayer?.map((command) => [...command]),
  )

async function download(filename: string): Promise<void> {
  await page.getByRole('listitem').first().hover()
  await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: `Download ${filename}` }).click(),
  ])
}

test('without a measurement id a download says so in the console, once, and nothing else', async () => {
  await openResults({})
  expect(warnings).toEqual([])
  await download('IMG_4210.jpg')
  await download('IMG_4211.jpg')
  expect(warnings).toEqual(['Downloads are not counted: the analytics measurement id is missing'])
  expect(requests.filter((url) => !url.startsWith(site.url))).toEqual([])
  expect(await commands()).toBeUndefined()
})

test("with one, a download loads Google's tag and sends the event, without who or what", async () => {
  await openResults({ ANALYTICS_MEASUREMENT_ID: 'G-TEST123' })
  const isGoogle = (url: string) => !url.startsWith(site.url)
  expect(requests.filter(isGoogle)).toEqual([])

  await download('IMG_4210.jpg')
  await download('IMG_4211.jpg')
  await expect.poll(() => requests.filter(isGoogle)).toEqual([`${GOOGLE}/gtag/js?id=G-TEST123`])
  expect(warnings).toEqual([])
  const denied = {
    ad_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
    analytics_storage: 'denied',
  }
  expect(await commands()).toEqual([
    ['consent', 'default', denied],
    ['set', { page_location: `${site.url}/`, page_referrer: site.url, page_title: 'Inframe' }],
    ['js', expect.any(Date)],
    ['config', 'G-TEST123', expect.objectContaining({ send_page_view: false, allow_google_signals: false })],
    ['event', 'Photo Downloaded'],
    ['event', 'Photo Downloaded'],
  ])
  expect(JSON.stringify(await commands())).not.toMatch(/IMG_|photos\/|results/)
})

test('a download from the album page is counted, too', async () => {
  await searchAlbum({ ANALYTICS_MEASUREMENT_ID: 'G-TEST123' })
  await download('sample1.jpg')
  expect(await commands()).toContainEqual(['event', 'Photo Downloaded'])
})
