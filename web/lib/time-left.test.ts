import { expect, test } from 'vitest'
import { timeLeft } from './time-left.ts'

test.each([
  [3, 'a few seconds left'],
  [31, 'about 40 seconds left'],
  [55, 'about a minute left'],
  [61, 'about 2 minutes left'],
  [3500, 'about 59 minutes left'],
  [3601, 'about an hour left'],
  [9000, 'about 2.5 hours left'],
])('%i seconds read as "%s"', (seconds, text) => {
  expect(timeLeft(seconds)).toBe(text)
})
