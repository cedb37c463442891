import type { Browser, CDPSession, Page } from 'playwright-core'
import { launchBrowser } from '../../web/e2e/browser.ts'
import buildWeb from '../../web/e2e/built-web.ts'
import { undoLater } from './undo.ts'

/** A phone on a slow mobile network: bytes a second, the round trip in ms, and how many times slower its CPU is. */
const NETWORK = { downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, latency: 150 }
const SLOWNESS = 4
export const SLOW_PHONE = '1.6 Mbit/s, 150 ms round trip, a quarter of this CPU'

/** Builds the web app, and launches a browser. */
export async function readyBrowser(): Promise<Browser> {
  await buildWeb()
  const browser = await launchBrowser()
  undoLater(() => browser.close())
  return browser
}

/** Opens a window of its own, with an empty cache.
 *  @param script runs in the page before its own scripts */
export async function onPhone<Result>(
  browser: Browser,
  { isSlow, script }: { isSlow: boolean; script: string },
  work: (page: Page, devtools: CDPSession) => Promise<Result>,
): Promise<Result> {
  const viewport = { width: 390, height: 844 }
  const context = await browser.newContext({ viewport, isMobile: true, hasTouch: true })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    if (isSlow) {
      await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
      await devtools.send('Network.emulateNetworkConditions', { offline: false, ...NETWORK })
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS })
    }
    await page.addInitScript(script)
    return await work(page, devtools)
  } finally {
    await context.close()
  }
}
