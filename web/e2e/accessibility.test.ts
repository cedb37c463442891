import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { SCENES } from './scenes.ts'
import { stageTest } from './stage.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const test = stageTest()

const DESKTOP = { width: 1280, height: 800 }

test.for(SCENES)('$name has no fault that axe finds', async ({ open }, { stage, visit }) => {
  const visitor = await visit({ device: 'phone' })
  const { page } = visitor
  await open(visitor, stage)
  await page.evaluate(AXE)
  const onPhone = { light: await faultsOf(page, 'light'), dark: await faultsOf(page, 'dark') }
  await page.setViewportSize(DESKTOP)
  const onDesktop = { light: await faultsOf(page, 'light'), dark: await faultsOf(page, 'dark') }
  expect({ onPhone, onDesktop }).toEqual({
    onPhone: { light: [], dark: [] },
    onDesktop: { light: [], dark: [] },
  })
})

/** Those that look at colours: light and dark differ in nothing else. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** What axe finds against WCAG 2.2 AA and good practice, one line each. */
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
