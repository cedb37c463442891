/** Measures how many bytes a page loads, and how soon it is visible, on a slow phone with an empty cache. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { onPhone, readyBrowser, SLOW_PHONE } from './phone.ts'
import { type Line, median, printLines, printTable } from './report.ts'
import { createSite, start } from './service.ts'
import { undoLater } from './undo.ts'
import { openAlbum } from './visitors.ts'

const KINDS = ['page', 'script', 'style', 'font', 'image', 'other'] as const
type Bytes = Record<(typeof KINDS)[number], number>

interface ColdLoad {
  /** Of the answers' bodies, compressed as they were sent. */
  bytes: Bytes
  /** Ms after the start of the navigation. */
  firstPaint: number
  largestPaint: number
}

/** The yardstick is one page of text with as many bytes, which does nothing. */
export async function benchWeb([loads = '3']: string[]): Promise<void> {
  const browser = await readyBrowser()
  const { env, url } = await createSite()
  await start('web', env)
  const { name } = await openAlbum(url)
  const routes: Record<string, [path: string, text: string]> = {
    landing: ['/', 'How It Works'],
    'album gate': [`/album/${name}`, 'No password?'],
    'get started': ['/get-started', 'Set up your album.'],
  }
  const weights: string[][] = []
  const lines: Line[] = []
  for (const [route, [path, text]] of Object.entries(routes)) {
    const load = await loadOften(browser, url + path, text, Number(loads))
    const weight = Object.values(load.bytes).reduce((sum, bytes) => sum + bytes)
    const bare = await loadOften(browser, await serveBarePage(weight), 'Text of the page', Number(loads))
    weights.push([route, ...KINDS.map((kind) => (load.bytes[kind] / 1024).toFixed(1))])
    for (const [what, key] of [
      ['first', 'firstPaint'],
      ['largest', 'largestPaint'],
    ] as const)
      lines.push({ what: `${route}, ${what} paint`, measured: load[key], yardstick: bare[key], unit: 'ms' })
  }
  printTable(['KB, compressed', ...KINDS], weights)
  printLines(`Loading with an empty cache, at ${SLOW_PHONE}`, 'bare page of the same bytes', lines)
}

/** The times are medians; the bytes are the same each time. */
async function loadOften(browser: Browser, address: string, text: string, times: number): Promise<ColdLoad> {
  const loads: ColdLoad[] = []
  for (let load = 0; load < times; load++) loads.push(await loadCold(browser, address, text))
  return {
    bytes: loads[0]!.bytes,
    firstPaint: median(loads.map(({ firstPaint }) => firstPaint)),
    largestPaint: median(loads.map(({ largestPaint }) => largestPaint)),
  }
}

const OBSERVE = `
  globalThis.seen = { largestPaint: 0 }
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) seen.largestPaint = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
`

/** @param text appears when the page is complete */
function loadCold(browser: Browser, address: string, text: string): Promise<ColdLoad> {
  return onPhone(browser, { isSlow: true, script: OBSERVE }, async (page, devtools) => {
    const bytes = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Bytes
    devtools.on('Network.responseReceived', ({ type, response }) => {
      const length = Object.entries(response.headers).find(([name]) => /^content-length$/i.test(name))?.[1]
      bytes[kindOf(type, response.mimeType)] += Number(length ?? 0)
    })
    await page.goto(address, { waitUntil: 'networkidle' })
    await page.getByText(text).first().waitFor()
    const paint = await page.evaluate<Omit<ColdLoad, 'bytes'>>(
      "({ ...seen, firstPaint: performance.getEntriesByName('first-contentful-paint')[0].startTime })",
    )
    return { bytes, ...paint }
  })
}

/** Preloaded modules and fonts have no type of their own, so their media type decides. */
function kindOf(type: string, mimeType: string): keyof Bytes {
  if (type === 'Document') return 'page'
  if (/css/.test(mimeType)) return 'style'
  const [, kind] = /(script|^font|^image)/.exec(mimeType) ?? []
  return (kind ?? 'other') as keyof Bytes
}

/** @returns the address of the yardstick */
async function serveBarePage(bytes: number): Promise<string> {
  const head = `<!doctype html><title>Bare</title><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><h1>Text of the page</h1><p>${'Text of the page. '.repeat(20)}</p>`
  // Random, as compressed bytes are.
  const page = `${head}<!--${randomBytes(bytes).toString('base64url')}`.slice(0, bytes)
  const headers = { 'content-type': 'text/html', 'content-length': page.length }
  const server = createServer((_request, response) => response.writeHead(200, headers).end(page))
  undoLater(async () => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
