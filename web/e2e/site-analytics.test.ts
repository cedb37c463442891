import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { resultsTest } from './results-page.ts'

const GOOGLE = 'https://www.googletagmanager.com'

/** The test of a site with these variables. Its `heard` is what the visitor's page warns of and asks for. */
const testOf = (env: Record<string, string>) =>
  resultsTest({ env }).extend('heard', async ({ page, site }) => {
    const warnings: string[] = []
    const foreign: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    page.on('request', (request) => request.url().startsWith(site.url) || foreign.push(request.url()))
    await page.route(`${GOOGLE}/**`, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
    return { warnings, foreign }
  })

const test = testOf({})
const testWithId = testOf({ ANALYTICS_MEASUREMENT_ID: 'G-TEST123' })

/** What Google's tag gets: one list for each command. */
const commands = (page: Page) =>
  page.evaluate(() =>
    (globalThis as { dataLayer?: Iterable<unknown>[] }).dataLayer?.map((command) => [...command]),
  )

async function download(page: Page, press: () => Promise<void>): Promise<void> {
  await Promise.all([page.waitForEvent('download'), press()])
}

async function downloadBoth(page: Page): Promise<void> {
  for (const name of ['IMG_4210.jpg', 'IMG_4211.jpg']) {
    await page.getByRole('listitem').first().hover()
    await download(page, () => page.getByRole('link', { name: `Download ${name}` }).click())
  }
}

test('without a measurement id a download says so in the console, once, and nothing else', async ({
  page,
  results,
  heard: { warnings, foreign },
}) => {
  await results.openMatched(2)
  expect(warnings).toEqual([])
  await downloadBoth(page)
  expect(warnings).toEqual(['Downloads are not counted: the analytics measurement id is missing'])
  expect(foreign).toEqual([])
  expect(await commands(page)).toBeUndefined()
})

testWithId(
  "with one, a download loads Google's tag and sends the event, without who or what; so do the viewer and a zip",
  async ({ page, site, results, heard: { warnings, foreign } }) => {
    await results.openMatched(2)
    expect(foreign).toEqual([])
    await downloadBoth(page)
    await expect.poll(() => foreign).toEqual([`${GOOGLE}/gtag/js?id=G-TEST123`])
    expect(await commands(page)).toEqual([
      [
        'consent',
        'default',
        {
          ad_storage: 'denied',
          ad_user_data: 'denied',
          ad_personalization: 'denied',
          analytics_storage: 'denied',
        },
      ],
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

    const counted = async () => (await commands(page))?.filter(([command]) => command === 'event').length
    const viewer = page.getByRole('dialog')
    await page.getByRole('link', { name: 'Open IMG_4210.jpg' }).click()
    await download(page, () => viewer.getByRole('link', { name: 'Download' }).click())
    await expect.poll(counted).toBe(3)
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    await download(page, () => page.getByRole('button', { name: 'Download all 2' }).click())
    await expect.poll(counted).toBe(4)
    expect(warnings).toEqual([])
  },
)
