import type { Browser, BrowserContext, Page, Request, Response } from 'playwright-core'
import type { TestClient } from '../../src/testing/client.ts'
import type { Organiser } from '../lib/persisted.ts'
import type { OwnedAlbum } from './site.ts'

export interface VisitorOptions {
  /** `phone`: 390 × 844 pixels at two to one, with touch. */
  device?: 'desktop' | 'phone'
  viewport?: { width: number; height: number }
  /** What the browser calls itself; by default Chromium. */
  userAgent?: string
  /** Whether the service worker may run. Without it, requests go past it and can be held back; by default false. */
  worksOffline?: boolean
}

/** One person with a browser context of their own: cookies and saved values are not shared. */
export interface Visitor {
  page: Page
  context: BrowserContext
  /** The answers with an error status. */
  refusals: Response[]
  /** Takes over the session of a REST client, such as the owner's after creating an album. */
  signInAs(client: TestClient): Promise<void>
  /** Saves what /get-started saves for the organiser of an album. */
  becomeOrganiser(organiser: Organiser): Promise<void>
  /** Closes the browser. Throws when a page threw, broke its own content security policy, or put the organiser's owner key
   *  or the token of a link, which stands behind its #, into an address. */
  leave(): Promise<void>
}

/** Opens a browser window of its own for the site at `url`; paths such as '/albums' can be visited at once. */
export async function newVisitor(
  browser: Browser,
  url: string,
  { device = 'desktop', viewport, userAgent, worksOffline = false }: VisitorOptions = {},
): Promise<Visitor> {
  const phone = device === 'phone'
  const context = await browser.newContext({
    baseURL: url,
    reducedMotion: 'reduce',
    viewport: viewport ?? (phone ? { width: 390, height: 844 } : { width: 1280, height: 800 }),
    ...(userAgent !== undefined && { userAgent }),
    ...(phone && { deviceScaleFactor: 2, hasTouch: true, isMobile: true }),
  })
  context.setDefaultTimeout(30_000)
  if (!worksOffline)
    await context.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined })
    })
  const page = await context.newPage()
  // Without a listener from the start, the browser may open its own dialog before the test listens, and the test waits
  // forever. That happened 13 of 362 times on a busy machine, and 0 of 758 times with this listener.
  page.on('filechooser', () => {})
  const faults: string[] = []
  context.on('weberror', (fault) => faults.push(fault.error().stack ?? String(fault.error())))
  context.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text())
  })
  const refusals: Response[] = []
  context.on('response', (response) => response.status() >= 400 && refusals.push(response))
  const secrets: string[] = []
  context.on('request', (request) => {
    const addresses = [request.url().split('#')[0]!, request.headers().referer ?? '']
    if (secrets.some((secret) => addresses.some((address) => address.includes(secret))))
      faults.push(`A key was in an address: ${addresses.join(', from ')}`)
  })
  function keepFromAddresses(link: string): void {
    const [, token] = /#(?:.*=)?([\w-]{8,})$/.exec(link) ?? []
    if (token) secrets.push(token)
  }
  const watch = (tab: Page) => tab.on('framenavigated', (frame) => keepFromAddresses(frame.url()))
  watch(page)
  context.on('page', watch)

  return {
    page,
    context,
    refusals,

    async signInAs(client) {
      const cookies = client.cookie().split('; ').filter(Boolean)
      await context.addCookies(
        cookies.map((cookie) => {
          const at = cookie.indexOf('=')
          return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url }
        }),
      )
    },

    async becomeOrganiser(organiser) {
      // Some tests save a word that is no key.
      if (organiser.userAlbumId.length === 32) secrets.push(organiser.userAlbumId)
      // Of the same origin, and loaded ten times as quickly as a page of the web app.
      await page.goto('/healthz')
      await page.evaluate((values) => {
        for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value)
      }, organiser)
    },

    async leave() {
      // A call may still be on its way through a route of the test.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
      if (faults.length > 0) throw new Error(`The page reported:\n${faults.join('\n')}`)
    },
  }
}

/** What /get-started saves for the organiser of this album. */
export const organiserOf = ({ ownerKey, albumName, displayName }: Omit<OwnedAlbum, 'owner'>): Organiser => ({
  userEmail: 'owner@example.com',
  eventName: displayName,
  userAlbumId: ownerKey,
  userAlbumSlug: albumName,
})

/** The address and the text of what a visitor sees, and the calls that were refused, to print when a test fails. */
export async function textOf({ page, refusals }: Visitor): Promise<string> {
  const text = await page.innerText('body', { timeout: 5_000 }).catch(String)
  const refused = await Promise.all(
    refusals.map(async (response) => {
      const answer = await response.text().catch(String)
      return `${response.status()} ${response.request().method()} ${response.url()} ${answer}\n`
    }),
  )
  return `\nThe page ${page.url()} showed:\n${text}\nCalls that were refused:\n${refused.join('')}`
}

/** Holds back the requests to an address.
 *  @returns the first of them, once it has arrived, and a function that lets all of them go */
export async function holdBack(page: Page, url: string): Promise<{ held: Promise<Request>; letGo(): void }> {
  const first = Promise.withResolvers<Request>()
  const leave = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    first.resolve(route.request())
    await leave.promise
    await route.fallback()
  })
  return { held: first.promise, letGo: leave.resolve }
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

/** Waits until the focus is on an element that this selector finds. */
export const focusIsOn = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()

/** Waits until the page shows exactly this text somewhere. */
export async function sees(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor()
}

/** Waits until a toast of this title, and of this description, is there. */
export async function seesToast(page: Page, title: string, description?: string): Promise<void> {
  let toast = page
    .getByRole('region', { name: /Notification/ })
    .locator('li[data-state=open]')
    .filter({ has: page.getByText(title, { exact: true }) })
  if (description !== undefined) toast = toast.filter({ has: page.getByText(description, { exact: true }) })
  await toast.waitFor()
}
