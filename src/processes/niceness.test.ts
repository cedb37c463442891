import { getPriority, setPriority } from 'node:os'
import { expect, test, vi } from 'vitest'
import { canGiveWay } from './niceness.ts'

vi.mock('node:os', async (original) => {
  const os = await original<typeof import('node:os')>()
  return { ...os, setPriority: vi.fn(os.setPriority) }
})

test('a process that this one starts can give way, and this one stays as it is', () => {
  const before = getPriority()
  expect(canGiveWay(19)).toBe(true)
  expect(getPriority()).toBe(before)
})

test('it cannot give way further than this one already does', () => {
  expect(canGiveWay(getPriority())).toBe(false)
})

test('it cannot where the system does not allow it, or takes no notice', () => {
  vi.mocked(setPriority).mockImplementationOnce(() => {
    throw Object.assign(new Error('Operation not permitted'), { code: 'EPERM' })
  })
  expect(canGiveWay(19)).toBe(false)
  vi.mocked(setPriority).mockImplementationOnce(() => {})
  expect(canGiveWay(19)).toBe(false)
})
