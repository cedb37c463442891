import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { SCENES } from './scenes.ts'
import { type Stage, startStage } from './stage.ts'
import { newVisitor } from './visitor.ts'

const FOLDER = process.env.SCREENSHOTS ?? join(import.meta.dirname, '../../data/screenshots')

/** Pixels; the first is a phone's. */
const WIDTHS = [390, 768, 1440]

let browser: Browser
let stage: Stage

beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
  ;[browser, stage] = await Promise.all([launchBrowser(), startStage()])
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await stage?.close()
  console.log(`The pictures are in ${FOLDER}`)
})

describe.each(SCENES)('$name', ({ name, open }) => {
  test.each(WIDTHS)('at %i px', async (width) => {
    const phone = width === WIDTHS[0]
    const viewport = { width, height: phone ? 844 : 900 }
    const visitor = await newVisitor(browser, stage.site.url, {
      device: phone ? 'phone' : 'desktop',
      viewport,
    })
    await open(visitor, stage)
    for (const colorScheme of ['light', 'dark'] as const) {
      await visitor.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const path = join(FOLDER, `${name}-${width}-${colorScheme}.png`)
      await visitor.page.screenshot({ path, fullPage: true, animations: 'disabled' })
    }
    await visitor.leave()
  })
})
