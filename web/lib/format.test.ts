import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { formatDuration } from './format.ts'

const run = promisify(execFile)

test('a short time is given in seconds, and a longer one in minutes', () => {
  expect([1, 119, 120, 121, 600].map(formatDuration)).toEqual([
    '1 second',
    '119 seconds',
    '2 minutes',
    '3 minutes',
    '10 minutes',
  ])
})

test('numbers and dates are written as the settings of the browser say', async () => {
  const code = `const { formatBytes, formatDate, formatDuration } = await import('${import.meta.dirname}/format.ts')
    console.log(formatBytes(1536), '|', formatDate('2026-11-22T12:00:00Z'), '|', formatDuration(60 * 1200))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, LC_ALL: 'de_DE.UTF-8' },
  })
  expect(stdout.trim()).toBe('1,5 KB | 22. November 2026 | 1.200 minutes')
})
