import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { givePassword } from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest({ work: false })

const keptAddresses = (page: Page) =>
  page.evaluate(async () => {
    const requests = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    )
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })

test('a page whose code cannot be loaded offline says so, and loads once the network is back', async ({
  page,
  visitor: { context },
}) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Privacy' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Albums' }).click()
  await sees(page, 'You are offline')
  await expectNoAxeFault(page)
  await context.setOffline(false)
  await sees(page, 'Browse Photo Albums')
})

test('the browser keeps the code of the guests and an empty page, and nothing of an album, which opens by itself after a dead spot', async ({
  visit,
  site,
}) => {
  // Service workers run in this test only.
  const { page, context } = await visit({ device: 'phone', worksOffline: true })
  const { albumName, password } = await site.createAlbum('Tunnel Party')
  const opened = () => page.getByText('NOT STARTED YET').first().waitFor()
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  await page.evaluate(() => caches.open('app of a former version').then(() => undefined))

  await page.goto(`/album/${albumName}`)
  await givePassword(page, password)
  await opened()
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
  await page.reload()
  await opened()
  const kept = await keptAddresses(page)
  expect(kept).toContain('/app-shell')
  expect(kept.filter((address) => !address.startsWith('/assets/'))).toEqual(['/app-shell'])
  expect(kept.length).toBeGreaterThan(10)
  const names = await page.evaluate(() => caches.keys())
  expect(names).toHaveLength(1)
  expect(names[0]).not.toBe('app of a former version')

  await context.setOffline(true)
  await page.reload()
  await sees(page, 'The album could not be opened')
  // Nobody presses a button.
  await context.setOffline(false)
  await opened()

  await context.setOffline(true)
  // What is no page of the app does not become one.
  for (const address of ['/healthz', '/readyz', '/api/docs'])
    await expect(page.goto(address)).rejects.toThrow('net::ERR_INTERNET_DISCONNECTED')
  await context.setOffline(false)

  // A page that the network takes too long for comes from the browser: its document never arrives, its calls do.
  await context.route(`**/album/${albumName}`, () => {})
  await page.goto(`/album/${albumName}`)
  await opened()
})
