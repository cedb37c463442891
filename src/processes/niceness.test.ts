import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { canGiveWay } from './niceness.ts'

test('a process that this one starts can give way, and this one stays as it is', () => {
  const before = getPriority()
  expect(canGiveWay(19)).toBe(true)
  expect(getPriority()).toBe(before)
})

test('it cannot give way further than this one already does', () => {
  expect(canGiveWay(getPriority())).toBe(false)
})

test('it cannot where the system does not allow it, or takes no notice', () => {
  const refuse = () => {
    throw Object.assign(new Error('Operation not permitted'), { code: 'EPERM' })
  }
  expect(canGiveWay(19, refuse)).toBe(false)
  expect(canGiveWay(19, () => {})).toBe(false)
})
