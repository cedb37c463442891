import { describe, expect, test } from 'vitest'
import type { Config } from './config.ts'
import { embeddedSize } from './engines.ts'

const sizeOf = (role: Config['role'], cores: number, givesWay: boolean, workers?: number) =>
  embeddedSize({ role, faces: { workers } as Config['faces'] }, cores, () => givesWay)

describe('the embedded engine has', () => {
  test.each(['all', 'worker'] as const)('one process for each core, in the role %s', (role) => {
    expect(sizeOf(role, 1, true).size).toBe(1)
    expect(sizeOf(role, 8, true)).toEqual({ size: 8, why: expect.stringContaining('give way to all else') })
  })

  test.each(['all', 'worker'] as const)('one fewer where none can give way, in the role %s', (role) => {
    expect(sizeOf(role, 8, false)).toEqual({ size: 7, why: expect.stringContaining('one core is left free') })
    expect(sizeOf(role, 1, false).size).toBe(1)
  })

  test('one process where no photos are indexed', () => {
    expect(sizeOf('web', 8, true)).toEqual({ size: 1, why: expect.stringContaining('indexes no photos') })
  })

  test.each(['all', 'web', 'worker'] as const)('as many as FACE_WORKERS says, in the role %s', (role) => {
    expect(sizeOf(role, 8, false, 3)).toEqual({ size: 3, why: 'as FACE_WORKERS says' })
  })
})
