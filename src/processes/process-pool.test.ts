import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isRunning } from '../testing/child-processes.ts'
import type { TestTask } from '../testing/task-program.ts'
import { echo, factsOf, MEGABYTE, testPools, untilRunning } from '../testing/test-pools.ts'

const { poolOf, longTask, missingFile } = testPools()

test('gives each caller its own answer, in as many processes as are needed', async () => {
  const pool = poolOf({ size: 2 })
  expect(pool.figures()).toEqual({ waiting: 0, running: 0 })
  const bytes = Buffer.from('bytes')
  expect(await Promise.all([echo(pool, bytes), echo(pool, 'two'), echo(pool, 3)])).toEqual([bytes, 'two', 3])
})

test('kinds take turns, and within a kind who came first is first', async () => {
  const pool = poolOf()
  const first = longTask(pool, 'upload')
  await untilRunning(pool, 1)
  const done: string[] = []
  const add = (kind: string, name: string) =>
    pool.run(() => ({ do: 'echo', value: name }), { kind }).then(() => done.push(name))
  const all = [add('upload', 'one'), add('upload', 'two'), add('view', 'opened')]
  expect(pool.figures()).toEqual({ waiting: 3, running: 1 })
  await first.end()
  await Promise.all(all)
  expect(done).toEqual(['one', 'opened', 'two'])
})

test('prepares a task when its turn comes, and a failure of that reaches the caller', async () => {
  const pool = poolOf()
  const running = longTask(pool)
  await untilRunning(pool, 1)
  let prepared = 0
  const prepare = async (): Promise<TestTask> => ({ do: 'echo', value: ++prepared })
  const waiting = pool.run(prepare)
  const failing = pool.run(() => Promise.reject(new Error('no such file')))
  const refused = expect(failing).rejects.toThrow('no such file')
  expect(prepared).toBe(0)
  await Promise.all([running.end(), running.done])
  expect(await waiting).toBe(1)
  await refused
  expect(await echo(pool, 'next')).toBe('next')
})

test('a refusal of the program reaches the caller, and the process goes on', async () => {
  const pool = poolOf()
  const { pid } = await factsOf(pool)
  await expect(pool.run(() => ({ do: 'refuse' }))).rejects.toMatchObject({
    name: 'AppError',
    code: 'UNPROCESSABLE_CONTENT',
    message: 'Not this one',
    cause: { message: 'the reason' },
  })
  expect((await factsOf(pool)).pid).toBe(pid)
})

test('an error of the system reaches the caller, and the process goes on', async () => {
  const pool = poolOf()
  const { pid } = await factsOf(pool)
  const reading = pool.run(() => ({ do: 'read', path: missingFile() }))
  await expect(reading).rejects.toMatchObject({
    code: 'ENOENT',
    message: expect.stringContaining('no such file'),
  })
  expect((await factsOf(pool)).pid).toBe(pid)
})

test('a caller can give up while its task waits', async () => {
  const pool = poolOf()
  const running = longTask(pool)
  await untilRunning(pool, 1)
  const hungUp = new AbortController()
  const waiting = pool.run(() => ({ do: 'echo', value: 1 }), { signal: hungUp.signal })
  const refused = expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  hungUp.abort()
  await refused
  expect(pool.figures()).toEqual({ waiting: 0, running: 1 })
  await Promise.all([running.end(), running.done])
  await expect(pool.run(() => ({ do: 'echo', value: 1 }), { signal: hungUp.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('a process knows no key and no address of a database', async () => {
  process.env.SECRET_KEY = 'a secret key'
  process.env.DATABASE_URL = 'postgres://user:password@host/database'
  const { env } = await factsOf(poolOf())
  delete process.env.SECRET_KEY
  delete process.env.DATABASE_URL
  const allowed = [
    'MALLOC_ARENA_MAX',
    'MALLOC_MMAP_THRESHOLD_',
    'NODE_COMPILE_CACHE',
    'TMPDIR',
    'LD_LIBRARY_PATH',
    'PATH',
    'NODE_CHANNEL_FD',
  ]
  expect(env.filter((name) => !allowed.includes(name) && !name.startsWith('NODE_CHANNEL'))).toEqual([])
})

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
