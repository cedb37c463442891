import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { launchBrowser } from './browser.ts'
import { type Site, startSite } from './site.ts'
import { newVisitor, type Visitor } from './visitor.ts'

/** What `openSite` has opened for the current test file. */
export let browser: Browser
export let site: Site

/** The visitor that `visitInEachTest` has made for the current test. */
export let visitor: Visitor
export let page: Page

/** Gives a test file a browser, and a site of its own; takes what startSite takes. */
export function openSite(options?: Parameters<typeof startSite>[0]): void {
  beforeAll(async () => {
    ;[browser, site] = await Promise.all([launchBrowser(), startSite(options)])
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })
}

/** Gives each test of a file a visitor of its own to the site that has been opened. */
export function visitInEachTest(): void {
  beforeEach(async () => {
    visitor = await newVisitor(browser, site.url)
    page = visitor.page
  })
  afterEach(() => visitor.leave())
}
