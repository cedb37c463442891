import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { OLDEST_BROWSERS } from './oldest-browsers.ts'

const BUILT = join(import.meta.dirname, '../web/dist/assets')
/** Radix' toasts have a method of their own with the name of a younger one of arrays. */
const TOASTS = /^toast-.*\.js$/
/** What browsers have beside the language, and the oldest ones lack. es-check does not know it. */
const YOUNG = /AbortSignal\.(any|timeout)|URL\.(canParse|parse)\b|Response\.json\b|Segmenter|DurationFormat/

/** @returns what the oldest browsers cannot run in these scripts */
async function tooYoung(files: string[], ...options: string[]): Promise<string[]> {
  const browsers = OLDEST_BROWSERS.map((name) => name.replace(/\d/, ' $&')).join(', ')
  const checks = ['checkBrowser', '--module', '--checkFeatures', `--browserslistQuery=${browsers}`]
  const said = await promisify(execFile)('es-check', [...checks, ...options, ...files]).then(
    () => '',
    ({ stdout, stderr }) => stdout + stderr,
  )
  return [...said.matchAll(/· (erroring file: .*|error: .*)/g)].map(([, line]) => line)
}

test('the oldest browsers know everything that the built scripts use', async () => {
  const scripts = globSync('*.js', { cwd: BUILT })
  expect(scripts.length).toBeGreaterThan(30)
  const paths = (names: string[]) => names.map((name) => join(BUILT, name))
  expect(await tooYoung(paths(scripts.filter((name) => !TOASTS.test(name))))).toEqual([])
  expect(
    await tooYoung(paths(scripts.filter((name) => TOASTS.test(name))), '--ignore=ArrayToSorted'),
  ).toEqual([])
  for (const path of paths(scripts))
    expect((await readFile(path, 'utf8')).match(YOUNG)?.[0], path).toBeUndefined()
})
