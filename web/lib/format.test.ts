import { expect, test } from 'vitest'
import { formatDuration } from './format.ts'

test('a short time is given in seconds, and a longer one in minutes', () => {
  expect([1, 119, 120, 121, 600].map(formatDuration)).toEqual([
    '1 second',
    '119 seconds',
    '2 minutes',
    '3 minutes',
    '10 minutes',
  ])
})
