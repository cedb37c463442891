import { expect, test } from 'vitest'
import { definePeriodicQueue } from './queue.ts'

test('a periodic queue takes the jobs that cron sends, which have no payload', () => {
  const { payload } = definePeriodicQueue('sweep', '* * * * *')
  expect(payload.parse(null)).toEqual({})
})
