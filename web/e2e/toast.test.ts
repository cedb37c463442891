import { expect, test } from 'vitest'
import { openSite, page, visitInEachTest } from './open-site.ts'

openSite({ work: false })
visitInEachTest()

const shown = () => page.locator('[aria-label^="Notification"] li[data-state=open]')

/** Opens a page that shows a toast without calling the service, and stops its clock. */
async function openWithStoppedClock(): Promise<void> {
  await page.clock.install()
  await page.goto('/gmail-oauth', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Exchange Code for Tokens' }).waitFor()
  await stopClock()
}

async function stopClock(): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
}

async function showToast(): Promise<void> {
  await page.getByRole('button', { name: 'Exchange Code for Tokens' }).click()
  await shown().getByText('Please enter the authorization code').waitFor()
}

test('a toast is there for 5,000 ms', async () => {
  await openWithStoppedClock()
  await showToast()
  await page.clock.runFor(4_999)
  expect(await shown().count()).toBe(1)
  await page.clock.runFor(1)
  await shown().waitFor({ state: 'detached' })
})

test('a toast lives once: its time goes on across pages, and it does not come back with its page', async () => {
  await page.clock.install()
  await page.goto('/gmail-oauth', { waitUntil: 'networkidle' })
  // The code of the other page is loaded before the clock stops: no request is owed then.
  await visitPrivacy()
  await comeBack()
  await stopClock()
  await showToast()
  await page.clock.runFor(3_000)
  await visitPrivacy()
  await page.clock.runFor(1_999)
  expect(await shown().count()).toBe(1)
  await page.clock.runFor(1)
  await shown().waitFor({ state: 'detached' })
  await comeBack()
  expect(await shown().count()).toBe(0)
})

async function visitPrivacy(): Promise<void> {
  // By the keyboard: the toast may cover the link.
  await page.getByRole('link', { name: 'Privacy' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Privacy Policy' }).waitFor()
}

async function comeBack(): Promise<void> {
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Gmail OAuth Setup' }).waitFor()
}

test.each([
  [50, 1],
  [51, 0],
  [-200, 1],
])('a toast that is swiped by %i px to the right leaves %i toasts', async (distance, left) => {
  await openWithStoppedClock()
  await showToast()
  const { x, y } = (await shown().boundingBox())!
  const start = { x: x + 60, y: y + 10 }
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + distance / 2, start.y)
  await page.mouse.move(start.x + distance, start.y)
  await page.mouse.up()
  await expect.poll(() => shown().count()).toBe(left)
})

test('F8 leads to the toasts', async () => {
  await openWithStoppedClock()
  await showToast()
  await page.keyboard.press('F8')
  await page.waitForFunction(() => document.activeElement?.matches('[aria-label^="Notification"] ol'))
  await page.keyboard.press('Tab')
  expect(await shown().evaluate((toast) => toast.contains(document.activeElement))).toBe(true)
})

test('a toast is read out as a notification', async () => {
  await openWithStoppedClock()
  await showToast()
  await page.clock.runFor(100)
  const announced = page.getByRole('status').filter({ hasText: 'Notification' })
  await announced.waitFor({ state: 'attached' })
  expect(await announced.textContent()).toMatch(/^Notification Error/)
})

test.each([
  [390, 'the whole width'],
  [767, 'the whole width'],
  [768, 420],
  [1440, 420],
])('in a window of %i px toasts take %s', async (width, expected) => {
  await page.setViewportSize({ width, height: 800 })
  await openWithStoppedClock()
  await showToast()
  const box = await page.locator('[aria-label^="Notification"] ol').boundingBox()
  const whole = await page.evaluate(() => document.body.clientWidth)
  expect(box!.width).toBe(expected === 420 ? 420 : whole)
})
