import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Those that look at colours: light and dark differ in nothing else. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Where `npm run screenshots` wants pictures of the pages. */
const { SCREENSHOTS } = process.env

/** Fails when axe finds a fault against WCAG 2.2 AA and good practice in the page as it is now, in light or dark colours.
 *  The page is light afterwards. */
export async function expectNoAxeFault(page: Page): Promise<void> {
  await page.evaluate(AXE)
  const dark = await faultsOf(page, 'dark')
  if (SCREENSHOTS) await takePicture(page, SCREENSHOTS, 'dark')
  const light = await faultsOf(page, 'light')
  if (SCREENSHOTS) await takePicture(page, SCREENSHOTS, 'light')
  expect({ dark, light }).toEqual({ dark: [], light: [] })
}

/** One line for each fault. */
async function faultsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  return page.evaluate(
    async (rules) => {
      const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }
      // axe leaves out passed rules and selectors: sending them takes longer than the test.
      const { violations } = await axe.run({ ...rules, resultTypes: ['violations'], selectors: false })
      return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help} (${node.html})`))
    },
    colorScheme === 'dark' ? { runOnly: COLOUR_RULES } : {},
  )
}

let pictures = 0

/** The number in its name keeps the pictures of a journey in order. */
async function takePicture(page: Page, folder: string, colours: string): Promise<void> {
  const place = String(pictures++).padStart(3, '0')
  const name = `${process.pid}-${place}${new URL(page.url()).pathname.replaceAll('/', '-')}-${colours}.png`
  // A picture larger than the window is taken without touch, so it would lack what only phones show.
  const fullPage = await page.evaluate(() => !matchMedia('(pointer: coarse)').matches)
  await page.screenshot({ path: join(folder, name), fullPage, animations: 'disabled' })
}
