import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Those that look at colours: light and dark differ in nothing else. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Fails when axe finds a fault in the page as it is now, in light or dark colours. The page is light afterwards. */
export async function expectNoAxeFault(page: Page): Promise<void> {
  expect(await axeFaults(page)).toEqual({ dark: [], light: [] })
}

/** What axe finds against WCAG 2.2 AA and good practice, one line for each fault. */
export async function axeFaults(page: Page): Promise<{ dark: string[]; light: string[] }> {
  await page.evaluate(AXE)
  return { dark: await faultsOf(page, 'dark'), light: await faultsOf(page, 'light') }
}

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
