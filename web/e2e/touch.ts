import type { Page } from 'playwright-core'

type Point = readonly [x: number, y: number]

/** How many moves a finger makes on its way. */
const MOVES = 8

/** Moves a finger over the screen of a phone. */
export async function moveFinger(page: Page, from: Point, to: Point): Promise<void> {
  const touch = await page.context().newCDPSession(page)
  const at = (part: number) => [
    { x: from[0] + (to[0] - from[0]) * part, y: from[1] + (to[1] - from[1]) * part },
  ]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
  for (let move = 1; move <= MOVES; move++) {
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(move / MOVES) })
    // A gesture is drawn frame by frame.
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await touch.detach()
}

export async function tapTwice(page: Page, [x, y]: Point): Promise<void> {
  await page.touchscreen.tap(x, y)
  await page.touchscreen.tap(x, y)
}

/** Keeps a finger on the screen of a phone until something has happened. */
export async function pressUntil(page: Page, [x, y]: Point, happened: () => Promise<unknown>): Promise<void> {
  const touch = await page.context().newCDPSession(page)
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  await happened()
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await touch.detach()
}
