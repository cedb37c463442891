/** Measures the grid of a guest's found photos: how soon its first row is shown on a slow phone, and how smoothly 5,037
 *  photos scroll. */
import { link, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { renderThumbnail } from '../../src/photos/images.ts'
import { photoKey } from '../../src/photos/renditions.ts'
import { insertIndexedPhotos } from '../../src/testing/indexed-photos.ts'
import { insertMatchedSubmission } from '../../src/testing/matched-submission.ts'
import { samplePhotos } from '../../src/testing/sample-photos.ts'
import { onPhone, readyBrowser, SLOW_PHONE } from './phone.ts'
import { count, median, printLines } from './report.ts'
import { createSite, type Site, start } from './service.ts'
import { openAlbum } from './visitors.ts'

const MS_OF_FRAME = 1_000 / 60
/** Of a swipe of 6,000 pixels a second, for 20 seconds. */
const FRAMES = 1_200

export async function benchFoundGrid([photos = '5037', loads = '5']: string[]): Promise<void> {
  const browser = await readyBrowser()
  const site = await createSite()
  await start('web', site.env)
  const address = `${site.url}/selfie/results/${await storeResults(site, Number(photos))}`
  const rows: number[] = []
  for (let load = 0; load < Number(loads); load++) rows.push(await firstRow(browser, address))
  const { frames, megabytes } = await onPhone(browser, { isSlow: false, script: '' }, (page, devtools) =>
    scroll(page, devtools, address, Number(photos)),
  )
  const late = frames.filter((ms) => ms > 1.5 * MS_OF_FRAME).length
  const mean = frames.reduce((sum, ms) => sum + ms, 0) / frames.length
  printLines(`${count(Number(photos))} found photos on a phone`, 'a frame of 60 Hz', [
    { what: `first row, at ${SLOW_PHONE}`, measured: median(rows), unit: 'ms', aim: 300 },
    { what: 'a frame while they are scrolled', measured: mean, yardstick: MS_OF_FRAME, unit: 'ms', aim: 17 },
    { what: `    of ${frames.length} came late`, measured: late, unit: 'frames' },
    { what: 'script memory then', measured: megabytes, unit: 'MB' },
  ])
}

/** Stores a submission that has found all photos of an album. They share the thumbnails of the sample photos.
 *  @returns its id */
async function storeResults({ url, db, dataDir }: Site, photos: number): Promise<string> {
  const { id: albumId } = await openAlbum(url)
  const ids = await insertIndexedPhotos(db, albumId, photos)
  const stored = await db.selectFrom('photos').select('sha256').where('album_id', '=', albumId).execute()
  const samples = await Promise.all(samplePhotos().map((photo) => renderThumbnail(photo)))
  const fileOf = (index: number) => join(dataDir, 'files', photoKey(albumId, stored[index]!.sha256, 'thumb'))
  for (const index of stored.keys()) {
    await mkdir(dirname(fileOf(index)), { recursive: true })
    if (index < samples.length) await writeFile(fileOf(index), samples[index]!)
    else await link(fileOf(index % samples.length), fileOf(index))
  }
  const matches = ids.map((photoId, index) => ({ photoId, similarity: 99 - index / 1_000 }))
  return await insertMatchedSubmission(db, { albumId }, matches)
}

const NOTE_FIRST_ROW = `
  function look(now) {
    const image = document.querySelector('main li img')
    if (image?.complete && image.naturalWidth > 0) globalThis.firstRowAt = now
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
`

/** @returns ms from the answer with the photos until the first row, which is one photo on this page, is painted */
function firstRow(browser: Browser, address: string): Promise<number> {
  return onPhone(browser, { isSlow: true, script: NOTE_FIRST_ROW }, async (page) => {
    await page.goto(address, { waitUntil: 'commit' })
    await page.waitForFunction(() => 'firstRowAt' in globalThis, undefined, { timeout: 120_000 })
    return await page.evaluate<number>(`{
      const loaded = performance.getEntriesByType('resource')
      const firstThumb = Math.min(...loaded.filter(({ name }) => name.includes('/thumb?')).map((entry) => entry.startTime))
      const answers = loaded.filter((entry) => entry.initiatorType === 'fetch' && entry.responseEnd <= firstThumb)
      firstRowAt - Math.max(...answers.map((entry) => entry.responseEnd))
    }`)
  })
}

/** @returns the ms between two frames, and MB of script afterwards */
async function scroll(page: Page, devtools: CDPSession, address: string, photos: number) {
  await page.goto(address)
  await page.getByText('(Loading photos...)').waitFor({ state: 'detached' })
  await page.getByText(`We found ${count(photos)} photos of you.`).waitFor()
  const frames = await page.evaluate<number[]>(SCROLL)
  await devtools.send('Performance.enable')
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  return { frames, megabytes: metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value / 1e6 }
}

/** Scrolls down from the top. */
const SCROLL = `new Promise((done) => {
  const frames = []
  let last
  function step(now) {
    if (last !== undefined) frames.push(now - last)
    last = now
    if (frames.length === ${FRAMES}) return done(frames)
    document.documentElement.scrollBy({ top: 100, behavior: 'instant' })
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`
