import type { Browser, CDPSession, Page } from 'playwright-core'
import { launchBrowser } from '../../web/e2e/browser.ts'
import buildWeb from '../../web/e2e/built-web.ts'
import { makePhotoFolder, numbered } from '../../web/e2e/photo-folder.ts'
import { undoLater } from './cleanup.ts'
import { figure, printComparisons } from './report.ts'
import { startService } from './server-process.ts'
import { createAlbum } from './uploading.ts'

const FEW = 500
const MANY = 5_000

/** What an upload needs in the page: heaps in bytes, after collecting garbage; the longest blocks of its main thread,
 *  in ms. */
interface Run {
  heapChosen: number
  heapAtQuarter: number
  heapAtEnd: number
  choosing: number
  removing: number
  uploading: number
}

/** Measures whether the upload page stays responsive, and its memory flat, with 5,000 photos instead of 500. */
export async function benchBrowserUpload(): Promise<void> {
  await buildWeb()
  const { url, stop } = await startService({ indexing: false })
  const browser = await launchBrowser()
  const close = undoLater(() => browser.close())
  const few = await uploadInBrowser(browser, url, FEW)
  const many = await uploadInBrowser(browser, url, MANY)
  await close()
  await stop()

  const megabytes = (bytes: number) => `${figure(bytes / 1_000_000)} MB`
  const milliseconds = (ms: number) => `${figure(ms)} ms`
  const heap = (what: string, key: keyof Run) => ({
    what,
    measured: many[key],
    yardstick: few[key],
    show: megabytes,
  })
  const block = (what: string, key: keyof Run) => ({
    what,
    measured: Math.max(1, many[key]),
    yardstick: Math.max(1, few[key]),
    show: milliseconds,
  })
  printComparisons(
    ['Uploading in the browser', `${MANY} photos`, `${FEW} photos`],
    [
      heap('JS heap, photos chosen', 'heapChosen'),
      heap('JS heap, a quarter sent', 'heapAtQuarter'),
      heap('JS heap, all sent', 'heapAtEnd'),
      block('longest block, choosing a folder', 'choosing'),
      block('longest block, removing a photo', 'removing'),
      block('longest block, uploading', 'uploading'),
    ],
  )
  printComparisons(
    [`Heap with ${MANY} photos`, 'at this time', 'photos chosen'],
    [
      { what: 'a quarter sent', measured: many.heapAtQuarter, yardstick: many.heapChosen, show: megabytes },
      { what: 'all sent', measured: many.heapAtEnd, yardstick: many.heapChosen, show: megabytes },
    ],
  )
}

/** Records blocks since the page got the chosen files. Before that the browser creates them, which is a block, too:
 *  two seconds for 5,000 files, even in a page with nothing but a file input. */
const WATCH_BLOCKS = `
  window.longestBlock = 0
  window.chosenAt = 0
  document.addEventListener('input', () => { window.chosenAt = performance.now() }, true)
  window.blocks = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      if (startTime >= window.chosenAt) window.longestBlock = Math.max(window.longestBlock, duration)
  })
  window.blocks.observe({ type: 'longtask' })
`

async function uploadInBrowser(browser: Browser, url: string, count: number): Promise<Run> {
  // One more, because one photo is removed.
  const folder = await makePhotoFolder(numbered(count + 1))
  const remove = undoLater(folder.remove)
  const { ownerKey } = await createAlbum(url, count)
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  page.setDefaultTimeout(0)
  await page.addInitScript(`${WATCH_BLOCKS}
    localStorage.setItem('userEmail', 'organiser@example.com')
    localStorage.setItem('eventName', 'Bench')
    localStorage.setItem('userAlbumId', '${ownerKey}')
  `)
  await page.goto('/bulk-upload')
  const inspector = await context.newCDPSession(page)
  await inspector.send('Performance.enable')

  await page.getByText('Choose a whole folder').waitFor()
  await takeLongestBlock(page)
  await page.setInputFiles('input[webkitdirectory]', folder.path)
  await page.getByText(`${(count + 1).toLocaleString('en')} photos selected`).waitFor()
  await page.locator('main li img').nth(14).waitFor()
  const choosing = await takeLongestBlock(page)
  await page
    .getByRole('button', { name: /^Remove / })
    .first()
    .click()
  await page.getByText(`${count.toLocaleString('en')} photos selected`).waitFor()
  const removing = await takeLongestBlock(page)
  const heapChosen = await heapOf(inspector)
  await takeLongestBlock(page)

  await page.getByRole('button', { name: /^Upload / }).click()
  const quarter = Math.ceil(count / 4 / 15) * 15
  await page.getByText(`${quarter.toLocaleString('en')} of ${count.toLocaleString('en')} photos`).waitFor()
  const untilQuarter = await takeLongestBlock(page)
  const heapAtQuarter = await heapOf(inspector)
  // Leaves out the block of the garbage collection that heapOf caused.
  await takeLongestBlock(page)
  await page.getByText('Upload completed!', { exact: true }).waitFor()
  const uploading = Math.max(untilQuarter, await takeLongestBlock(page))
  const heapAtEnd = await heapOf(inspector)
  await context.close()
  await remove()
  return { heapChosen, heapAtQuarter, heapAtEnd, choosing, removing, uploading }
}

async function heapOf(inspector: CDPSession): Promise<number> {
  await inspector.send('HeapProfiler.collectGarbage')
  const { metrics } = await inspector.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value
}

/** The longest block of the main thread since the last call, in ms; 0 when none took 50 ms or more. */
function takeLongestBlock(page: Page): Promise<number> {
  // Blocks are reported a little after their end.
  return page.evaluate<number>(`new Promise((resolve) => setTimeout(() => {
    resolve(window.longestBlock)
    window.longestBlock = 0
  }, 500))`)
}
