/** Measures what a guest's 5,037 found photos cost: the signatures of their addresses, and the results page on a slow
 *  phone. */
import { execFile } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { createDb } from '../../src/database/client.ts'
import { createKeyring } from '../../src/keyring.ts'
import { createPhotoLinks } from '../../src/photos/links.ts'
import { insertIndexedPhotos } from '../../src/testing/indexed-photos.ts'
import { insertMatchedSubmission } from '../../src/testing/matched-submission.ts'
import { launchBrowser } from '../../web/e2e/browser.ts'
import { createRestClient } from '../rest-client.ts'
import { undoLater } from './cleanup.ts'
import { countBytes, slowDown } from './cold-load.ts'
import { printComparisons, printTable } from './report.ts'
import { makeDataFolder, sharedParts, startInRole } from './server-process.ts'

const BUILD = join(import.meta.dirname, '../build-web.ts')
const MANY = 5_037
/** The yardstick: what one screen shows. */
const FEW = 20
const RUNS = 5

export async function benchFoundPhotos(): Promise<void> {
  compareSigning()
  await promisify(execFile)(process.execPath, [BUILD, '--if-needed'])
  const env = await sharedParts(await makeDataFolder())
  const { url } = await startInRole('web', env)
  const launching = launchBrowser()
  undoLater(async () => await (await launching).close())
  const browser = await launching

  const rows: string[][] = []
  for (const photos of [MANY, FEW]) {
    const id = await storeResults(url, env.DATABASE_URL!, photos)
    const load = await openResults(browser, `${url}/selfie/results/${id}`, photos)
    rows.push([
      photos.toLocaleString('en'),
      ms(load.firstPhoto),
      ms(load.complete),
      ms(load.blocked),
      load.nodes.toLocaleString('en'),
      (load.bytes / 1024).toFixed(1),
      ms(load.lastPhoto),
    ])
  }
  console.log(
    `\n  The results page with an empty cache, at 1.6 Mbit/s, 150 ms round trip and a quarter of this CPU`,
  )
  printTable(
    ['photos', 'first photo', 'list complete', 'blocked', 'nodes', 'KB of answers', 'jump to the last'],
    rows,
  )
}

/** Signing with the keyring's keys, and with the bytes of a key. */
function compareSigning(): void {
  const keyring = createKeyring(['secret'])
  const links = createPhotoLinks({ keyring })
  const bytes = keyring.keys('photo-link')[0]!.export()
  const ids = Array.from({ length: MANY }, () => randomUUID())
  const fastest = (sign: (id: string) => void) => {
    const times = Array.from({ length: RUNS }, () => {
      const start = performance.now()
      for (const id of ids) sign(id)
      return performance.now() - start
    })
    return Math.min(...times)
  }
  printComparisons(
    ['signing', 'Inframe', 'four HMACs under bytes'],
    [
      {
        what: `the addresses of ${MANY.toLocaleString('en')} photos`,
        measured: fastest((id) => links.sign(id, 1)),
        yardstick: fastest((id) => {
          for (const size of ['full', 'thumb', 'preview', 'download'])
            createHmac('sha256', bytes).update(`${id} ${size} 1755625500 1`).digest().toString('base64url')
        }),
        show: ms,
      },
    ],
  )
}

/** Stores an album and a submission that has found all its photos. @returns the submission's id */
async function storeResults(url: string, databaseUrl: string, count: number): Promise<string> {
  const { userAlbum } = await createRestClient(url).post<{ userAlbum: { albumName: string } }>(
    '/api/user-albums',
    { email: 'bench@example.com', albumName: `Bench ${count}` },
  )
  const db = createDb({ connectionString: databaseUrl }, () => {})
  try {
    const { id: albumId } = await db
      .selectFrom('albums')
      .select('id')
      .where('slug', '=', userAlbum.albumName)
      .executeTakeFirstOrThrow()
    const photos = await insertIndexedPhotos(db, albumId, count)
    const matches = photos.map((photoId, index) => ({ photoId, similarity: 99 - index / 1000 }))
    return await insertMatchedSubmission(db, { albumId }, matches)
  } finally {
    await db.destroy()
  }
}

interface Load {
  /** Ms from the start of the navigation until the first photo is shown, and until the whole list has arrived. */
  firstPhoto: number
  complete: number
  /** Ms in tasks of more than 50 ms, until then. */
  blocked: number
  /** Elements in the document, then. */
  nodes: number
  /** Of the calls' answers, as they were sent. */
  bytes: number
  /** Ms from a jump to the end of the page until the last photo is shown. */
  lastPhoto: number
}

async function openResults(browser: Browser, address: string, photos: number): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true })
  try {
    const page = await context.newPage()
    const body = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#a86' } })
      .webp()
      .toBuffer()
    await page.route('**/photos/*/thumb?*', (route) => route.fulfill({ body, contentType: 'image/webp' }))
    const devtools = await context.newCDPSession(page)
    const bytes = await countBytes(devtools)
    await slowDown(devtools)
    await page.addInitScript(OBSERVE)
    await page.goto(address, { waitUntil: 'commit' })
    const firstPhoto = await shown(page, 1)
    await page.getByText(`We found ${photos.toLocaleString('en')} photos of you.`).waitFor()
    await page.getByText('(Loading photos...)').waitFor({ state: 'detached' })
    const then = await page.evaluate<Pick<Load, 'complete' | 'blocked' | 'nodes'>>(
      "({ complete: performance.now(), blocked: seen.blocked, nodes: document.querySelectorAll('*').length })",
    )
    const jump = await page.evaluate<number>(
      'document.documentElement.scrollTo({ top: 1e9, behavior: "instant" }), performance.now()',
    )
    const lastPhoto = (await shown(page, photos)) - jump
    return { firstPhoto, ...then, bytes: bytes.other, lastPhoto }
  } finally {
    await context.close()
  }
}

/** Waits until the thumbnail of a photo is shown. @returns when, in ms after the start of the navigation */
async function shown(page: Page, position: number): Promise<number> {
  const handle = await page.waitForFunction(
    (which) => (globalThis as unknown as { whenShown(position: number): number }).whenShown(which),
    position,
    { timeout: 120_000 },
  )
  return await handle.jsonValue()
}

const ms = (value: number) => `${Math.round(value)} ms`

/** Runs in the page before its own scripts. */
const OBSERVE = {
  content: `
    globalThis.seen = { blocked: 0 }
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.blocked += duration
    }).observe({ type: 'longtask', buffered: true })
    globalThis.whenShown = (position) => {
      const photo =
        document.querySelector('[aria-posinset="' + position + '"]') ??
        document.querySelectorAll('main li')[position - 1]
      return photo?.querySelector('img')?.naturalWidth > 0 && performance.now()
    }
  `,
}
