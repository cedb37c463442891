import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from 'vitest'
import { SCENES } from './scenes.ts'
import { stageTest } from './stage.ts'

const FOLDER = process.env.SCREENSHOTS ?? join(import.meta.dirname, '../../data/screenshots')

/** Pixels; the first is a phone's. */
const WIDTHS = [390, 768, 1440]

const test = stageTest()
test.beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
})
test.afterAll(() => console.log(`The pictures are in ${FOLDER}`))

describe.each(SCENES)('$name', ({ name, open }) => {
  test.for(WIDTHS)('at %i px', async (width, { stage, visit }) => {
    const phone = width === WIDTHS[0]
    const viewport = { width, height: phone ? 844 : 900 }
    const visitor = await visit({ device: phone ? 'phone' : 'desktop', viewport })
    const { page } = visitor
    await open(visitor, stage)
    if (phone) await page.setViewportSize({ width, height: await page.evaluate(fixHeight) })
    // Otherwise the sticky top bar would be in the middle of the picture.
    await page.evaluate(() => window.scrollTo(0, 0))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const path = join(FOLDER, `${name}-${width}-${colorScheme}.png`)
      await page.screenshot({ path, fullPage: !phone, animations: 'disabled' })
    }
  })
})

/** Fixes the content's height. A screenshot larger than the window is taken without touch, so it lacks what only phones
 *  show. So the window is made as high as the page, and the page must not grow with it.
 *  @returns the page's height in pixels */
function fixHeight(): number {
  const content = document.getElementById('content')!
  content.style.minHeight = `${content.offsetHeight}px`
  return document.body.scrollHeight
}
