import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { waitUntil } from '../../src/testing/wait.ts'
import type { Presence } from './page-clock.ts'
import { siteTest } from './site-test.ts'

const test = siteTest({ work: false })

const TOAST = '[aria-label^="Notification"] li[data-state=open]'

const shown = (page: Page) => page.locator(TOAST)

/** Opens a page that shows a toast without calling the service. The code of toasts is loaded when a visitor presses the
 *  first key. */
async function openPage(page: Page): Promise<void> {
  await page.goto('/gmail-oauth')
  await page.getByRole('button', { name: 'Exchange Code for Tokens' }).waitFor()
  await page.keyboard.press('Shift')
  await page.locator('[aria-label^="Notification"]').first().waitFor({ state: 'attached' })
}

/** Brings a toast up. @returns when, in ms on the page's clock */
function showToast(page: Page): Promise<number> {
  return page.getByRole('button', { name: 'Exchange Code for Tokens' }).evaluate((button: HTMLElement) => {
    const at = Date.now()
    button.click()
    return at
  })
}

/** Brings a toast up that stays, because the visitor looks at another window. Both steps run in the page: sent
 *  one by one, five seconds could pass between them. */
async function showToastThatStays(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Exchange Code for Tokens' })
  await button.evaluate(async (button: HTMLElement, toast) => {
    const nextFrame = () => new Promise(requestAnimationFrame)
    button.click()
    while (!document.querySelector(toast)) await nextFrame()
    await nextFrame()
    window.dispatchEvent(new Event('blur'))
  }, TOAST)
}

/** Ms on the page's clock from an event until no toast is left. */
async function untilGone(presences: () => Promise<Presence[]>, since: number): Promise<number> {
  const until = await waitUntil('the toast to go', async () => (await presences())[0]?.until)
  return until - since
}

test('a toast is there for 5,000 ms', async ({ page, clock }) => {
  await openPage(page)
  const presences = await clock.watch(TOAST)
  const shownAt = await showToast(page)
  await clock.pass(5_000)
  const life = await untilGone(presences, shownAt)
  expect(life).toBeGreaterThanOrEqual(5_000)
  expect(life).toBeLessThan(6_000)
})

test('a toast lives once: its time goes on across pages, and it does not come back with its page', async ({
  page,
  clock,
}) => {
  await openPage(page)
  // The code of the other page is loaded first: the toast is short-lived.
  await visitPrivacy(page)
  await comeBack(page)
  const presences = await clock.watch(TOAST)
  const privacy = await clock.watch('h1', /^Privacy Policy$/)
  const shownAt = await showToast(page)
  await visitPrivacy(page)
  await clock.pass(5_000)
  const life = await untilGone(presences, shownAt)
  expect(life).toBeGreaterThanOrEqual(5_000)
  expect(life).toBeLessThan(6_000)
  const [onPrivacy] = await privacy()
  expect(onPrivacy!.from).toBeLessThan(shownAt + life)
  await comeBack(page)
  expect(await presences()).toHaveLength(1)
})

async function visitPrivacy(page: Page): Promise<void> {
  // By the keyboard: the toast may cover the link.
  await page.getByRole('link', { name: 'Privacy' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Privacy Policy' }).waitFor()
}

async function comeBack(page: Page): Promise<void> {
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Gmail OAuth Setup' }).waitFor()
}

test.for([
  [50, 1],
  [51, 0],
  [-200, 1],
] as const)(
  'a toast that is swiped by %i px to the right leaves %i toasts',
  async ([distance, left], { page }) => {
    await openPage(page)
    await showToastThatStays(page)
    const { x, y } = (await shown(page).boundingBox())!
    const start = { x: x + 60, y: y + 10 }
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    await page.mouse.move(start.x + distance / 2, start.y)
    await page.mouse.move(start.x + distance, start.y)
    await page.mouse.up()
    await expect.poll(() => shown(page).count()).toBe(left)
  },
)

test('F8 leads to the toasts', async ({ page }) => {
  await openPage(page)
  await showToastThatStays(page)
  await page.keyboard.press('F8')
  await page.waitForFunction(() => document.activeElement?.matches('[aria-label^="Notification"] ol'))
  await page.keyboard.press('Tab')
  expect(await shown(page).evaluate((toast) => toast.contains(document.activeElement))).toBe(true)
})

test('a toast is read out as a notification', async ({ page, clock }) => {
  await openPage(page)
  const announcements = await clock.watch('[role=status]', /^Notification Error/)
  await showToast(page)
  await waitUntil('the announcement', async () => (await announcements()).length > 0)
})

test.for([
  [390, 'the whole width'],
  [767, 'the whole width'],
  [768, 420],
  [1440, 420],
] as const)('in a window of %i px toasts take %s', async ([width, expected], { page }) => {
  await page.setViewportSize({ width, height: 800 })
  await openPage(page)
  await showToastThatStays(page)
  const box = await page.locator('[aria-label^="Notification"] ol').boundingBox()
  const whole = await page.evaluate(() => document.body.clientWidth)
  expect(box!.width).toBe(expected === 420 ? 420 : whole)
})
