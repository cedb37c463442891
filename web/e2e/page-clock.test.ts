import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Every way to reach the clock of Playwright. */
const PLAYWRIGHT_CLOCK =
  /\bclock\s*\.\s*(install|fastForward|pauseAt|resume|runFor|setFixedTime|setSystemTime)\b/g

async function clockCalls(): Promise<string[]> {
  const names = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.ts'))
  const found = await Promise.all(
    names.map(async (name) => {
      const source = await readFile(join(import.meta.dirname, name), 'utf8')
      return [...source.matchAll(PLAYWRIGHT_CLOCK)].map(([, method]) => `${name}: ${method}`)
    }),
  )
  return found.flat()
}

// A page whose clock is stopped does not handle an answer: then the test fails on a busy machine only.
test('browser tests move the clock of a page by installClock alone, which never stops it', async () => {
  expect(await clockCalls()).toEqual(['page-clock.ts: install', 'page-clock.ts: runFor'])
})
