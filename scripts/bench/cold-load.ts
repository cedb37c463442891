import type { Browser, CDPSession } from 'playwright-core'

/** A phone on a slow mobile network: bytes a second, the round trip in ms, and how many times slower its CPU is. */
const PHONE = { down: 1_600_000 / 8, up: 750_000 / 8, roundTrip: 150, slowness: 4 }

export const KINDS = ['page', 'script', 'style', 'font', 'image', 'other'] as const
export type Kind = (typeof KINDS)[number]

export interface ColdLoad {
  /** Bytes of the answers' bodies, compressed as they were sent. */
  bytes: Record<Kind, number>
  /** Ms after the start of the navigation. */
  firstPaint: number
  largestPaint: number
  /** The sum of Chromium's layout-shift scores. */
  shift: number
}

/** Loads a page in a new window, with an empty cache, on a slow phone.
 *  @param expect a text that appears when the page is complete. */
export async function loadCold(browser: Browser, address: string, expect: string): Promise<ColdLoad> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    const bytes = await countBytes(devtools)
    await slowDown(devtools)
    await page.addInitScript(OBSERVE)
    await page.goto(address, { waitUntil: 'networkidle' })
    await page.getByText(expect).first().waitFor()
    const paint = await page.evaluate<Omit<ColdLoad, 'bytes'>>(
      "({ ...seen, firstPaint: performance.getEntriesByName('first-contentful-paint')[0].startTime })",
    )
    return { bytes, ...paint }
  } finally {
    await context.close()
  }
}

export async function slowDown(devtools: CDPSession): Promise<void> {
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: PHONE.roundTrip,
    downloadThroughput: PHONE.down,
    uploadThroughput: PHONE.up,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: PHONE.slowness })
}

export async function countBytes(devtools: CDPSession): Promise<Record<Kind, number>> {
  const bytes = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  await devtools.send('Network.enable')
  devtools.on('Network.responseReceived', ({ type, response }) => {
    const length = Object.entries(response.headers).find(([name]) => /^content-length$/i.test(name))?.[1]
    bytes[kindOf(type, response.mimeType)] += Number(length ?? 0)
  })
  return bytes
}

/** The kind of a resource. Preloaded modules and fonts have no type of their own, so their media type decides. */
function kindOf(type: string, mimeType: string): Kind {
  if (type === 'Document') return 'page'
  if (/javascript/.test(mimeType)) return 'script'
  if (/css/.test(mimeType)) return 'style'
  if (/^font\//.test(mimeType)) return 'font'
  return /^image\//.test(mimeType) ? 'image' : 'other'
}

/** Runs in the page before its own scripts. */
const OBSERVE = {
  content: `
    globalThis.seen = { largestPaint: 0, shift: 0 }
    const watch = (type, note) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
    watch('largest-contentful-paint', (entry) => { seen.largestPaint = entry.startTime })
    watch('layout-shift', (entry) => { seen.shift += entry.value })
  `,
}
