/** How many bytes of script and style a guest loads before the album page is usable. */
import type { Page, Request } from 'playwright-core'

/** The limit for script and style together, compressed with brotli. Two KB of it are colours for browsers that do not know
 *  oklch (before Chrome 111 and Firefox 113), and what makes a page survive translators and missing code. */
export const ALBUM_MAX_BYTES = 132 * 1024

/** The compressed size, in bytes, of the scripts and styles that a page has asked for when a part of it appears. What
 *  it asks for afterwards is for later.
 *  @param open leads the page to the part, with an empty cache
 *  @param selector of the part */
export async function weighUntil(
  page: Page,
  selector: string,
  open: () => Promise<unknown>,
): Promise<number> {
  const requests = new Map<string, Request>()
  page.on('requestfinished', (request) => requests.set(request.url(), request))
  await page.addInitScript(NOTE_APPEARANCE, selector)
  await open()
  await page.locator(selector).first().waitFor()
  await page.waitForLoadState('networkidle')
  const names = await page.evaluate<string[]>(
    'performance.getEntriesByType("resource").filter(({ startTime }) => startTime < appearedAt).map(({ name }) => name)',
  )
  const assets = names.filter((name) => /\/assets\/[^/]+\.(js|css)$/.test(name))
  if (assets.length < 3) throw new Error(`The page loads only ${assets.length} scripts and styles`)
  const sizes = await Promise.all(assets.map((name) => sizeOf(requests.get(name)!)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function sizeOf(request: Request): Promise<number> {
  const headers = (await (await request.response())?.allHeaders()) ?? {}
  if (headers['content-encoding'] !== 'br') throw new Error(`${request.url()} came without brotli`)
  return Number(headers['content-length'])
}

/** Runs in the page before its own scripts. */
function NOTE_APPEARANCE(selector: string): void {
  Object.assign(globalThis, { appearedAt: Number.POSITIVE_INFINITY })
  const look = new MutationObserver(() => {
    if (!document.querySelector(selector)) return
    Object.assign(globalThis, { appearedAt: performance.now() })
    look.disconnect()
  })
  look.observe(document, { childList: true, subtree: true })
}
