import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isRunning } from '../testing/child-processes.ts'
import type { TestTask } from '../testing/task-program.ts'
import { echo, factsOf, MEGABYTE, testPools, untilRunning } from '../testing/test-pools.ts'

const { poolOf, longTask, missingFile } = testPools()

afterEach(() => void vi.useRealTimers())

describe('a task over its limits', () => {
  test.each(['wait', 'spin'] as const)('of time is ended with its process, once: %s', async (what) => {
    const pool = poolOf()
    const { pid } = await factsOf(pool)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const task: TestTask = what === 'wait' ? { do: 'wait', until: missingFile() } : { do: 'spin' }
    const ended = expect(pool.run(() => task)).rejects.toMatchObject({ name: 'TaskFault', reason: 'time' })
    const behind = factsOf(pool)
    await setImmediate()
    vi.advanceTimersByTime(59_999)
    expect(pool.figures()).toEqual({ waiting: 1, running: 1 })
    vi.advanceTimersByTime(1)
    vi.useRealTimers()
    await ended
    expect(isRunning(pid)).toBe(false)
    expect((await behind).pid).not.toBe(pid)
  })

  test('of processor time is ended with its process, and waiting costs none', async () => {
    const pool = poolOf({ processorLimit: 300 })
    const waiting = longTask(pool)
    await untilRunning(pool, 1)
    await waiting.end()
    await waiting.done
    await expect(pool.run(() => ({ do: 'spin' }))).rejects.toMatchObject({
      name: 'TaskFault',
      reason: 'time',
      message: expect.stringContaining('processor time'),
    })
  })

  test('of memory is ended with its process', async () => {
    const pool = poolOf({ memoryLimit: 300 * MEGABYTE })
    const { pid } = await factsOf(pool)
    const ended = pool.run(() => ({ do: 'eat memory' }))
    await expect(ended).rejects.toMatchObject({ name: 'TaskFault', reason: 'memory' })
    expect(isRunning(pid)).toBe(false)
    expect(await echo(pool, 'next')).toBe('next')
  })
})

describe('a process that dies', () => {
  test('while it works: its task is tried once more in another process, and others go on', async () => {
    const pool = poolOf({ size: 2 })
    const { pid } = await factsOf(pool)
    const task = longTask(pool)
    await untilRunning(pool, 1)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isRunning(pid), { interval: 10 }).toBe(false)
    expect(await echo(pool, 'another')).toBe('another')
    await task.end()
    await task.done
  })

  test.each([
    ['crash', 'crash'],
    ['throw', 'crash'],
    ['be killed', 'killed'],
  ] as const)('twice with the same task fails it: %s', async (what, reason) => {
    const pool = poolOf()
    const { pid } = await factsOf(pool)
    await expect(pool.run(() => ({ do: what }))).rejects.toMatchObject({ name: 'TaskFault', reason })
    expect(isRunning(pid)).toBe(false)
    expect(await echo(pool, 'next')).toBe('next')
  })
})
