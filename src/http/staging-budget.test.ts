import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStagingBudget, type StagingBudget } from './staging-budget.ts'

let budget: StagingBudget
beforeEach(() => {
  vi.useFakeTimers()
  budget = createStagingBudget(1000)
})
afterEach(() => vi.useRealTimers())

test('one album, or one caller, gets half of the bytes', () => {
  expect(budget.take(500, ['album 1', 'address 1'])).toBeUndefined()
  expect(budget.take(1, ['album 1', 'address 2'])).toBeInstanceOf(Promise)
  expect(budget.take(1, ['album 2', 'address 1'])).toBeInstanceOf(Promise)
  expect(budget.take(500, ['album 2', 'address 2'])).toBeUndefined()
})

test('an upload beyond the bytes waits until another ends', async () => {
  budget.take(500, ['a'])
  budget.take(500, ['b'])
  const waiting = budget.take(400, ['c'])
  budget.giveBack(300, ['a'])
  budget.giveBack(300, ['b'])
  await expect(waiting).resolves.toBeUndefined()
  // 800 are in use again.
  expect(budget.take(201, ['d'])).toBeInstanceOf(Promise)
  expect(budget.take(200, ['d'])).toBeUndefined()
})

test('after ten seconds an upload that waits is refused, with the time to try again', async () => {
  budget.take(500, ['a'])
  const refused = expect(budget.take(1, ['a'])).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Too many photos are being uploaded at the moment',
    retryAfter: 10,
  })
  await vi.advanceTimersByTimeAsync(10_000)
  await refused
  budget.giveBack(500, ['a'])
  expect(budget.take(500, ['a'])).toBeUndefined()
})
