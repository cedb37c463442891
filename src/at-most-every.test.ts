import { expect, test } from 'vitest'
import { oneIn } from './at-most-every.ts'

test('one call in a while is passed on, with the number of those that were not', () => {
  let now = 0
  const passed: [string, number][] = []
  const tell = oneIn(
    60_000,
    (text: string, others) => void passed.push([text, others]),
    () => now,
  )
  for (now = 0; now < 120_000; now += 25) tell(`at ${now}`)
  expect(passed).toEqual([
    ['at 0', 0],
    ['at 60000', 2_399],
  ])
})
