import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { readSample } from '../../src/testing/client.ts'
import { waitUntil } from '../../src/testing/wait.ts'
import { organiserAtWork } from './organiser.ts'
import { installClock, type Presence } from './page-clock.ts'
import { siteTest } from './site-test.ts'

const test = siteTest({ work: false })

/** For this many ms after a hint has closed, the next one opens at once. */
const WITHIN_MS = 300

const HINT = '[data-radix-popper-content-wrapper]'

test('a hint opens after 700 ms, and the next one at once within 300 ms', async ({ visit, site }) => {
  const { page, choose } = await organiserAtWork(visit, site)
  const clock = await installClock(page)
  await page.reload()
  const buffer = await readSample(1)
  await choose(['a.jpg', 'b.jpg'].map((name) => ({ name, mimeType: 'image/jpeg', buffer })))
  const a = page.getByRole('button', { name: 'Remove a.jpg', exact: true })
  const b = page.getByRole('button', { name: 'Remove b.jpg', exact: true })
  await b.waitFor()
  const hintsOfA = await clock.watch(HINT, /Remove a\.jpg/)
  const hintsOfB = await clock.watch(HINT, /Remove b\.jpg/)

  const hovered = await a.evaluateHandle((button) => {
    const times: number[] = []
    button.addEventListener('pointermove', () => times.push(Date.now()), { capture: true, once: true })
    return times
  })
  await a.hover()
  const [first] = await hovered.jsonValue()
  expectDelay((await opening(hintsOfA)) - first!)

  const soon = await hoverAfterHint(b, 250)
  await page.keyboard.press('Escape')
  expect((await opening(hintsOfB)) - (await soon())).toBeLessThan(700)

  await page.mouse.move(0, 0)
  const late = await hoverAfterHint(a, WITHIN_MS)
  await page.keyboard.press('Escape')
  expectDelay((await opening(hintsOfA, 2)) - (await late()))
})

/** When a hint opened for the first, second … time, in ms on the page's clock. */
function opening(hints: () => Promise<Presence[]>, time = 1): Promise<number> {
  return waitUntil('the hint', async () => (await hints())[time - 1]?.from)
}

function expectDelay(ms: number): void {
  expect(ms).toBeGreaterThanOrEqual(700)
  expect(ms).toBeLessThan(1_700)
}

/** Prepares the page to move the pointer over a button this many ms after a hint has closed: by a timer of its own, set
 *  together with the page's timer for "within 300 ms". So however late a busy machine comes to them, they fall due in
 *  order. @returns what gives the time at which the pointer was moved, in ms on the page's clock */
async function hoverAfterHint(button: Locator, ms: number): Promise<() => Promise<number>> {
  const prepared = await button.evaluateHandle(
    (element, [wait, within]) => {
      const { promise, resolve } = Promise.withResolvers<number>()
      const hover = () => {
        resolve(Date.now())
        element.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse' }))
      }
      const { setTimeout } = window
      const withHover = (handler: TimerHandler, delay?: number) => {
        const timer = setTimeout(handler, delay)
        if (delay === within) {
          setTimeout(hover, wait)
          Object.assign(window, { setTimeout })
        }
        return timer
      }
      Object.assign(window, { setTimeout: withHover })
      return { hovered: promise }
    },
    [ms, WITHIN_MS] as const,
  )
  return () => prepared.evaluate(({ hovered }) => hovered)
}
