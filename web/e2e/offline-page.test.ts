import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { type Site, startSite } from './site.ts'
import { newVisitor, sees } from './visitor.ts'

let browser: Browser
let site: Site

beforeAll(async () => {
  ;[browser, site] = await Promise.all([launchBrowser(), startSite({ work: false })])
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

test('a page whose code cannot be loaded offline says so, and comes once the network is back', async () => {
  const { page, context, leave } = await newVisitor(browser, site.url)
  await page.goto('/')
  await page.getByRole('link', { name: 'Privacy' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Albums' }).click()
  await sees(page, 'You are offline')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await sees(page, 'Browse Photo Albums')
  await leave()
})
