/** Measures the organiser's desk of a large album: how soon each section is painted, and what its photos cost a browser
 *  that scrolls to their end. The yardstick is the desk of an album of 100 photos. */
import type { Browser, CDPSession, Page } from 'playwright-core'
import { insertIndexedPhotos } from '../../src/testing/indexed-photos.ts'
import { onPhone, readyBrowser } from './phone.ts'
import { count, type Line, median, printLines } from './report.ts'
import { createSite, type Site, start } from './service.ts'
import { openAlbum } from './visitors.ts'

const SECTIONS = ['', 'photos', 'share', 'guests', 'opt-outs', 'settings', 'end']
const FEW = 100
/** Rows of one statement. */
const AT_ONCE = 2_000
const LOADS = 3

export async function benchDesk([photos = '100000']: string[]): Promise<void> {
  const browser = await readyBrowser()
  const site = await createSite()
  await start('web', site.env)
  const [many, few] = [await addDesk(site, Number(photos)), await addDesk(site, FEW)]
  const lines: Line[] = []
  for (const section of SECTIONS) {
    const [measured, yardstick] = [
      await firstPaint(browser, many, section),
      await firstPaint(browser, few, section),
    ]
    lines.push({ what: `${section || 'overview'}, first paint`, measured, yardstick, unit: 'ms', aim: 500 })
  }
  const [end, yardstick] = [await scrollToEnd(browser, many), await scrollToEnd(browser, few)]
  lines.push(
    {
      what: 'photos at the end: script memory',
      measured: end.megabytes,
      yardstick: yardstick.megabytes,
      unit: 'MB',
    },
    { what: '    elements', measured: end.nodes, yardstick: yardstick.nodes, unit: '' },
  )
  printLines(`The desk of ${count(Number(photos))} photos`, `of ${FEW}`, lines)
}

interface Desk {
  url: string
  photos: number
  /** What the organiser's browser keeps. */
  script: string
}

/** Adds an album whose photos have no files. */
async function addDesk({ url, db }: Site, photos: number): Promise<Desk> {
  const { id, name, ownerKey } = await openAlbum(url, `Album of ${photos}`)
  for (let left = photos; left > 0; left -= AT_ONCE)
    await insertIndexedPhotos(db, id, Math.min(left, AT_ONCE))
  const kept = { userEmail: 'owner@example.com', eventName: name, userAlbumId: ownerKey, userAlbumSlug: name }
  return {
    url: `${url}/manage/${name}`,
    photos,
    script: `Object.assign(localStorage, ${JSON.stringify(kept)})`,
  }
}

/** @returns ms, the median of some loads with an empty cache */
async function firstPaint(browser: Browser, { url, script }: Desk, section: string): Promise<number> {
  const loads: number[] = []
  for (let load = 0; load < LOADS; load++)
    loads.push(
      await onPhone(browser, { isSlow: false, script }, async (page) => {
        await page.goto(`${url}/${section}`)
        const paint = await page.waitForFunction(
          () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
        )
        return (await paint.jsonValue())!
      }),
    )
  return median(loads)
}

/** @returns what the page holds then */
function scrollToEnd(browser: Browser, { url, script, photos }: Desk) {
  return onPhone(browser, { isSlow: false, script }, async (page, devtools) => {
    await page.goto(`${url}/photos`)
    await page.locator('main li img').first().waitFor()
    const last = page.locator(`main [aria-posinset="${photos}"]`)
    while ((await last.count()) === 0) await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    return await heldBy(page, devtools)
  })
}

async function heldBy(page: Page, devtools: CDPSession) {
  await devtools.send('Performance.enable')
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const bytes = metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value
  return {
    megabytes: bytes / 1e6,
    nodes: await page.evaluate<number>("document.querySelectorAll('*').length"),
  }
}
