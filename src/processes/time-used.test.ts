import { expect, test } from 'vitest'
import { createTimeUsed } from './time-used.ts'

test('the time that an owner uses adds up, and half of it is forgotten every 30 seconds', () => {
  let now = 1_000
  const used = createTimeUsed(() => now)
  used.add('a', 3_000)
  used.add('a', 1_000)
  used.add('b', 100)
  expect([used.of('a'), used.of('b'), used.of('c')]).toEqual([4_000, 100, 0])
  now += 30_000
  expect([used.of('a'), used.of('b')]).toEqual([2_000, 50])
  used.add('a', 500)
  expect(used.of('a')).toBe(2_500)
})

test('what is left of very little is forgotten altogether', () => {
  let now = 0
  const used = createTimeUsed(() => now)
  used.add('a', 60)
  now += 30_000
  used.add('b', 60)
  expect([used.of('a'), used.of('b')]).toEqual([0, 60])
})
