/** Measures the grid of a guest's found photos: how soon its first row is shown on a slow phone, and how smoothly 5,037
 *  photos scroll. */
import { execFile } from 'node:child_process'
import { link, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { createDb, type Db } from '../../src/database/client.ts'
import { photoKey } from '../../src/photos/renditions.ts'
import { insertIndexedPhotos } from '../../src/testing/indexed-photos.ts'
import { insertMatchedSubmission } from '../../src/testing/matched-submission.ts'
import { median } from '../../src/testing/median.ts'
import { launchBrowser } from '../../web/e2e/browser.ts'
import { undoLater } from './cleanup.ts'
import { slowDown } from './cold-load.ts'
import { distinctPhotos, smallPictures } from './photos.ts'
import { figure, printTable } from './report.ts'
import { makeDataFolder, sharedParts, startInRole } from './server-process.ts'
import { createAlbum, uploadPhotos } from './uploading.ts'

const BUILD = join(import.meta.dirname, '../build-web.ts')
const PHOTOS = 5_037
const UPLOADED = 6
const LOADS = 5
const FIRST_ROW_MS = 300
const FRAMES_A_SECOND = 60
/** A swipe of 6,000 pixels a second, for 20 seconds. */
const PIXELS_A_FRAME = 100
const FRAMES = 1_200

export async function benchFoundGrid(): Promise<void> {
  await promisify(execFile)(process.execPath, [BUILD, '--if-needed'])
  const folder = await makeDataFolder()
  const env = await sharedParts(folder)
  const { url } = await startInRole('web', env)
  const album = await createAlbum(url, UPLOADED)
  await uploadPhotos(album, distinctPhotos(smallPictures(), UPLOADED))
  const address = `${url}/selfie/results/${await storeResults(env.DATABASE_URL!, folder)}`
  const launching = launchBrowser()
  undoLater(async () => await (await launching).close())
  const browser = await launching

  const rows: number[] = []
  for (let load = 0; load < LOADS; load++)
    rows.push(await onPhone(browser, (page) => firstRow(page, address)))
  const scroll = await onPhone(browser, (page, devtools) => scrollTwice(page, devtools, address))
  const fps = 1_000 / mean(scroll.frames)
  const late = scroll.frames.filter((ms) => ms > 1.5 * (1_000 / FRAMES_A_SECOND)).length
  console.log(`${PHOTOS.toLocaleString('en')} found photos on a phone of 390 × 844 pixels`)
  printTable(
    ['', 'measured', 'aim', ''],
    [
      judged(
        'first row shown after the answer (1.6 Mbit/s, a quarter of this CPU), median ms',
        median(rows),
        {
          most: FIRST_ROW_MS,
        },
      ),
      judged('frames a second while they are scrolled', fps, { least: 0.98 * FRAMES_A_SECOND }),
      ['… frames that came late', `${late} of ${scroll.frames.length}`, '', ''],
      [
        '… script memory after the first and the second time, MB',
        scroll.megabytes.map(figure).join(', '),
        '',
        '',
      ],
      ['… elements of the document then', scroll.elements.join(', '), '', ''],
    ],
  )
}

function judged(what: string, value: number, { most = Infinity, least = 0 }): string[] {
  const isMet = value <= most && value >= least
  return [what, figure(value), figure(least || most), isMet ? 'met' : 'MISSED']
}

/** Adds many photos with the thumbnails of the uploaded ones, and stores a submission that has found all.
 *  @returns the submission's id */
async function storeResults(connectionString: string, folder: string): Promise<string> {
  const db = createDb({ connectionString }, () => {})
  try {
    const uploaded = await db.selectFrom('photos').selectAll().execute()
    const albumId = uploaded[0]!.album_id
    await db.updateTable('photos').set({ state: 'indexed', engine: 'embedded', face_count: 1 }).execute()
    const others = await insertIndexedPhotos(db, albumId, PHOTOS - UPLOADED)
    await shareThumbnails(db, join(folder, 'files'), uploaded)
    const all = [...uploaded.map(({ id }) => id), ...others]
    const matches = all.map((photoId, index) => ({ photoId, similarity: 99 - index / 1000 }))
    return await insertMatchedSubmission(db, { albumId }, matches)
  } finally {
    await db.destroy()
  }
}

async function shareThumbnails(
  db: Db,
  storage: string,
  uploaded: { id: string; sha256: Buffer }[],
): Promise<void> {
  const photos = await db.selectFrom('photos').select(['id', 'album_id', 'sha256']).execute()
  const known = new Set(uploaded.map(({ id }) => id))
  for (const [index, { id, album_id, sha256 }] of photos.entries()) {
    if (known.has(id)) continue
    const file = join(storage, photoKey(album_id, sha256, 'thumb'))
    await mkdir(join(file, '..'), { recursive: true })
    await link(join(storage, photoKey(album_id, uploaded[index % uploaded.length]!.sha256, 'thumb')), file)
  }
}

/** A window of its own, with an empty cache. */
async function onPhone<Result>(
  browser: Browser,
  work: (page: Page, devtools: CDPSession) => Promise<Result>,
): Promise<Result> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  })
  try {
    const page = await context.newPage()
    return await work(page, await context.newCDPSession(page))
  } finally {
    await context.close()
  }
}

/** @returns ms from the answer with the photos until the first row, which is one photo on this page, is painted */
async function firstRow(page: Page, address: string): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await slowDown(devtools)
  await page.addInitScript(NOTE_FIRST_ROW)
  await page.goto(address, { waitUntil: 'commit' })
  await page.waitForFunction(() => 'firstRowAt' in globalThis, undefined, { timeout: 120_000 })
  return await page.evaluate<number>(`{
    const loaded = performance.getEntriesByType('resource')
    const firstThumb = Math.min(...loaded.filter(({ name }) => name.includes('/thumb?')).map((entry) => entry.startTime))
    const answers = loaded.filter((entry) => entry.initiatorType === 'fetch' && entry.responseEnd <= firstThumb)
    firstRowAt - Math.max(...answers.map((entry) => entry.responseEnd))
  }`)
}

/** Runs in the page before its own scripts. */
const NOTE_FIRST_ROW = {
  content: `
    function look(now) {
      const image = document.querySelector('main li img')
      if (image?.complete && image.naturalWidth > 0) globalThis.firstRowAt = now
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  `,
}

interface Scroll {
  /** Ms between two frames. */
  frames: number[]
  /** Of script, after each time. */
  megabytes: number[]
  elements: number[]
}

async function scrollTwice(page: Page, devtools: CDPSession, address: string): Promise<Scroll> {
  await page.goto(address)
  await page.getByText('(Loading photos...)').waitFor({ state: 'detached' })
  await page.getByText(`We found ${PHOTOS.toLocaleString('en')} photos of you.`).waitFor()
  await devtools.send('Performance.enable')
  const scroll: Scroll = { frames: [], megabytes: [], elements: [] }
  for (const _time of ['first', 'second']) {
    scroll.frames.push(...(await scrollOnce(page)))
    scroll.megabytes.push(await megabytesOf(devtools))
    scroll.elements.push(await page.evaluate<number>(`document.querySelectorAll('*').length`))
  }
  return scroll
}

/** Scrolls down from the top, and back at once. @returns the ms between two frames */
async function scrollOnce(page: Page): Promise<number[]> {
  const frames = await page.evaluate<number[]>(`new Promise((done) => {
    const root = document.documentElement
    const frames = []
    let last
    function step(now) {
      if (last !== undefined) frames.push(now - last)
      last = now
      if (frames.length === ${FRAMES}) return done(frames)
      root.scrollBy({ top: ${PIXELS_A_FRAME}, behavior: 'instant' })
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })`)
  await page.evaluate(`document.documentElement.scrollTo({ top: 0, behavior: 'instant' })`)
  return frames
}

async function megabytesOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value / 1e6
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
