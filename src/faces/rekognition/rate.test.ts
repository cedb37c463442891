import { expect, test } from 'vitest'
import { rateChange } from './rate.ts'

const report = { answered: 0, throttled: 0, refusedRate: undefined }

test('answers raise the rate fast until the quota is met, then slowly', () => {
  expect(rateChange({ ...report, answered: 10 }, false)).toEqual({ growth: 20, ceiling: undefined })
  expect(rateChange({ ...report, answered: 10 }, true)).toEqual({ growth: 1, ceiling: undefined })
})

test('the first refusal halves the rate that was refused, and each later one takes a little of it', () => {
  expect(rateChange({ ...report, refusedRate: 80 }, false).ceiling).toBe(40)
  expect(rateChange({ ...report, refusedRate: 60 }, true).ceiling).toBe(57)
})

test('a throttled call takes back what an answer added', () => {
  expect(rateChange({ ...report, answered: 8, throttled: 2 }, true).growth).toBeCloseTo(0.6)
  expect(rateChange({ ...report, throttled: 5 }, true).growth).toBeCloseTo(-0.5)
})
