import { expect, test } from 'vitest'
import { isOpen } from './opening.ts'

const at = (time: string | null) => time && `2026-06-20T${time}Z`

test.each([
  [null, null, true],
  ['18:00', null, true],
  ['18:00:01', null, false],
  [null, '18:00:01', true],
  [null, '18:00', false],
  ['17:00', '19:00', true],
  ['19:00', '20:00', false],
  ['16:00', '17:00', false],
])('from %s until %s: at 18:00 guests come in: %s', (opens, closes, isIt) => {
  expect(isOpen({ opensAt: at(opens), closesAt: at(closes) }, new Date('2026-06-20T18:00Z'))).toBe(isIt)
})
