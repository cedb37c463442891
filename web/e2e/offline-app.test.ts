import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { givePassword } from './album-visits.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest({ work: false })
  .extend('album', { scope: 'file' }, ({ site }) => site.createAlbum('Tunnel Party'))
  // Service workers run in these tests only.
  .extend('visitor', ({ visit }) => visit({ worksOffline: true }))
  .extend('page', ({ visitor }) => visitor.page)
test.beforeAll(({ album }) => void album)

/** Waits until pages can be opened without a network. */
async function untilKept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
}

const keptAddresses = (page: Page) =>
  page.evaluate(async () => {
    const requests = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    )
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })

test('an album that is reloaded in a dead spot says so in its own words, and opens by itself when the network is back', async ({
  page,
  visitor,
  album,
}) => {
  await page.goto(`/album/${album.albumName}`)
  await givePassword(page, album.password)
  await page.getByText('NOT STARTED YET').first().waitFor()
  await untilKept(page)
  await visitor.context.setOffline(true)
  await page.reload()
  await sees(page, 'The album could not be opened')
  // Nobody presses a button.
  await visitor.context.setOffline(false)
  await page.getByText('NOT STARTED YET').first().waitFor()
})

test('the browser keeps the code of the guests and an empty page, and nothing of an album', async ({
  page,
  album,
}) => {
  await page.goto('/')
  await page.evaluate(() => caches.open('app of a former version').then(() => undefined))
  await page.goto(`/album/${album.albumName}`)
  await givePassword(page, album.password)
  await page.getByText('NOT STARTED YET').first().waitFor()
  await untilKept(page)
  await page.reload()
  await page.getByText('NOT STARTED YET').first().waitFor()

  const kept = await keptAddresses(page)
  expect(kept).toContain('/app-shell')
  expect(kept.filter((address) => !address.startsWith('/assets/'))).toEqual(['/app-shell'])
  expect(kept.length).toBeGreaterThan(10)
  const names = await page.evaluate(() => caches.keys())
  expect(names).toHaveLength(1)
  expect(names[0]).not.toBe('app of a former version')
})

test('a page that the network takes too long for comes from the browser', async ({
  page,
  visitor,
  album,
}) => {
  await page.goto(`/album/${album.albumName}`)
  await page.getByLabel('Album password').waitFor()
  await untilKept(page)
  // The document never arrives. The calls of the page do.
  await visitor.context.route(`**/album/${album.albumName}`, () => {})
  await page.reload()
  await page.getByLabel('Album password').waitFor()
})

test('a visit while pages are kept preloads nothing in vain', async ({ page, album }) => {
  await page.goto(`/album/${album.albumName}`)
  await page.getByLabel('Album password').waitFor()
  await untilKept(page)
  const warnings: string[] = []
  page.on('console', (message) => message.type() === 'warning' && void warnings.push(message.text()))
  await page.goto('/albums')
  await page.goto(`/album/${album.albumName}`)
  await page.getByLabel('Album password').waitFor()
  await page.waitForLoadState('networkidle')
  expect(warnings).toEqual([])
})

test('what is no page of the app does not become one without a network', async ({ page, visitor, album }) => {
  await page.goto(`/album/${album.albumName}`)
  await page.getByLabel('Album password').waitFor()
  await untilKept(page)
  await visitor.context.setOffline(true)
  for (const address of ['/healthz', '/readyz', '/api/docs'])
    await expect(page.goto(address)).rejects.toThrow('net::ERR_INTERNET_DISCONNECTED')
})

test('a browser that only shows the landing page keeps nothing', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
})
