import { expect, test } from 'vitest'
import { steady, timeLeft } from './time-left.ts'

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

/** The texts that a page shows for these estimates, each once while it stays. */
function textsOf(estimates: (number | null)[]): string[] {
  const texts: string[] = []
  let shown: number | null = null
  for (const estimate of estimates) {
    shown = steady(shown, estimate)
    const text = shown === null ? 'unknown' : timeLeft(shown)
    if (text !== texts.at(-1)) texts.push(text)
  }
  return texts
}

test('an estimate that goes up and down a little does not change the text', () => {
  expect(textsOf([725, 715, 722, 719, 750, 690, 725])).toEqual(['about 13 minutes left'])
  expect(textsOf([31, 29, 32, 28, 31])).toEqual(['about 40 seconds left'])
})

test('the text follows the time that is left, and an engine that becomes slower', () => {
  const seconds = Array.from({ length: 301 }, (_, passed) => 300 - passed)
  expect(textsOf(seconds)).toEqual([
    'about 5 minutes left',
    'about 4 minutes left',
    'about 3 minutes left',
    'about 2 minutes left',
    'about a minute left',
    'about 50 seconds left',
    'about 40 seconds left',
    'about 30 seconds left',
    'about 20 seconds left',
    'a few seconds left',
  ])
  expect(textsOf([300, 600])).toEqual(['about 5 minutes left', 'about 10 minutes left'])
})

test('an estimate that is unknown for a while is not remembered', () => {
  expect(textsOf([300, null, 290])).toEqual(['about 5 minutes left', 'unknown', 'about 5 minutes left'])
})
