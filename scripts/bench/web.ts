/** Measures how many bytes a page loads, and how soon it is visible, on a slow phone with an empty cache. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../web/e2e/browser.ts'
import { LANDING_MAX_BYTES } from '../landing-weight.ts'
import { createRestClient } from '../rest-client.ts'
import { undoLater } from './cleanup.ts'
import { type ColdLoad, KINDS, loadCold } from './cold-load.ts'
import { type Comparison, printComparisons, printTable } from './report.ts'
import { startService } from './server-process.ts'
import { STATIC_TEXT, serveStaticPage } from './static-page.ts'

const BUILD = join(import.meta.dirname, '../build-web.ts')
const LOADS = 3

interface Route {
  name: string
  path: string
  /** Appears when the page is complete. */
  text: string
}

/** Sets the exit code when the landing page is heavier than allowed. */
export async function benchWeb(): Promise<void> {
  console.log(
    `Loading pages with an empty cache, at 1.6 Mbit/s, 150 ms round trip and a quarter of this CPU; medians of ${LOADS} loads`,
  )
  await promisify(execFile)(process.execPath, [BUILD, '--if-needed'])
  const { url } = await startService({ indexing: false })
  const launching = launchBrowser()
  undoLater(async () => await (await launching).close())
  const browser = await launching

  const weights: string[][] = []
  const paints: Comparison[] = []
  const shifts: string[][] = []
  for (const route of await routesOf(url)) {
    const load = await median(browser, url + route.path, route.text)
    const bare = await median(browser, await serveStaticPage(load.bytes), STATIC_TEXT)
    weights.push([route.name, ...KINDS.map((kind) => kilobytes(load.bytes[kind]))])
    paints.push(
      { what: `${route.name}: first paint`, measured: load.firstPaint, yardstick: bare.firstPaint, show: ms },
      { what: `${route.name}: largest`, measured: load.largestPaint, yardstick: bare.largestPaint, show: ms },
    )
    shifts.push([route.name, load.shift.toFixed(4), bare.shift.toFixed(4)])
    if (route.path === '/') judge(load.bytes.script + load.bytes.style)
  }
  printTable(['KB, compressed', ...KINDS], weights)
  console.log()
  printComparisons(['contentful paint', 'Inframe', 'bare page of the same bytes'], paints)
  console.log()
  printTable(['layout shift', 'Inframe', 'bare page'], shifts)
}

async function routesOf(url: string): Promise<Route[]> {
  const { userAlbum } = await createRestClient(url).post<{ userAlbum: { albumName: string } }>(
    '/api/user-albums',
    { email: 'bench@example.com', albumName: 'Bench' },
  )
  return [
    { name: 'landing', path: '/', text: 'How It Works' },
    { name: 'album gate', path: `/album/${userAlbum.albumName}`, text: 'No password?' },
    { name: 'get started', path: '/get-started', text: 'Set up your album.' },
  ]
}

/** Loads a page several times. The times are medians; the bytes are the same each time. */
async function median(browser: Browser, address: string, text: string): Promise<ColdLoad> {
  const loads: ColdLoad[] = []
  for (let load = 0; load < LOADS; load++) loads.push(await loadCold(browser, address, text))
  const middle = (pick: (load: ColdLoad) => number) =>
    loads.map(pick).sort((one, other) => one - other)[Math.floor(LOADS / 2)]!
  return {
    bytes: loads[0]!.bytes,
    firstPaint: middle((load) => load.firstPaint),
    largestPaint: middle((load) => load.largestPaint),
    shift: Math.max(...loads.map((load) => load.shift)),
  }
}

function judge(bytes: number): void {
  const verdict = `Script and style of the landing page: ${kilobytes(bytes)} KB, at most ${kilobytes(LANDING_MAX_BYTES)} KB allowed`
  const isTooHeavy = bytes > LANDING_MAX_BYTES
  console.log(`${verdict}${isTooHeavy ? ': too heavy' : ''}\n`)
  if (isTooHeavy) process.exitCode = 1
}

const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1)
const ms = (value: number) => `${Math.round(value)} ms`
