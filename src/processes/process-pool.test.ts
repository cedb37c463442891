import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { childrenWith, isRunning } from '../testing/child-processes.ts'
import type { ProcessFacts, TestTask } from '../testing/task-program.ts'
import { createProcessPool, type ProcessPool, type ProcessPoolOptions } from './process-pool.ts'

type Kind = 'selfie' | 'photo'
type Pool = ProcessPool<Kind, TestTask, unknown>

const PROGRAM = new URL('../testing/task-program.ts', import.meta.url)
const MEGABYTE = 1_000_000

let folder: string
const pools: Pool[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inframe-pool-'))
})
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())))
afterAll(() => rm(folder, { recursive: true }))

function poolOf(options: Partial<ProcessPoolOptions<Kind>> = {}): Pool {
  const pool = createProcessPool<Kind, TestTask, unknown>({
    name: 'test process',
    program: PROGRAM,
    size: 1,
    timeLimit: 60_000,
    memoryLimit: 1_000 * MEGABYTE,
    kinds: ['selfie', 'photo'],
    log: createLog('silent'),
    ...options,
  })
  pools.push(pool)
  return pool
}

const ofAlbum = { kind: 'photo', owner: 'an album' } as const
const echo = (pool: Pool, value: unknown) => pool.run({ do: 'echo', value }, ofAlbum)
const factsOf = async (pool: Pool) => (await pool.run({ do: 'describe' }, ofAlbum)) as ProcessFacts
const childPids = () => childrenWith('task-program')

/** A task that runs until `end` is called. */
function longTask(pool: Pool, owner = 'an album') {
  const until = join(folder, crypto.randomUUID())
  const done = pool.run({ do: 'wait', until }, { kind: 'photo', owner })
  return { done, end: () => writeFile(until, '') }
}

async function untilRunning(pool: Pool, count: number): Promise<void> {
  await expect.poll(() => pool.figures().running, { interval: 10 }).toBe(count)
}

describe('the work', () => {
  test('gives each caller its own answer, in as many processes as are needed', async () => {
    const pool = poolOf({ size: 2 })
    expect(pool.figures()).toEqual({ waiting: 0, running: 0 })
    const bytes = Buffer.from('bytes')
    expect(await Promise.all([echo(pool, bytes), echo(pool, 'two'), echo(pool, 3)])).toEqual([
      bytes,
      'two',
      3,
    ])
  })

  test('runs tasks at the same time', async () => {
    const pool = poolOf({ size: 2 })
    const [one, two] = [longTask(pool), longTask(pool)]
    await untilRunning(pool, 2)
    await Promise.all([one.end(), two.end(), one.done, two.done])
  })

  test('a selfie comes before the photos that wait, and albums take turns', async () => {
    const pool = poolOf()
    const first = longTask(pool)
    await untilRunning(pool, 1)
    const done: string[] = []
    const add = (kind: Kind, owner: string, name: string) =>
      pool.run({ do: 'echo', value: name }, { kind, owner }).then(() => done.push(name))
    const all = [add('photo', 'a', 'a1'), add('photo', 'a', 'a2'), add('photo', 'b', 'b1')]
    all.push(add('selfie', 'c', 'selfie'))
    expect(pool.figures()).toEqual({ waiting: 4, running: 1 })
    await first.end()
    await Promise.all(all)
    expect(done).toEqual(['selfie', 'a1', 'b1', 'a2'])
  })

  test('leaves a process for others when one owner may not use all', async () => {
    const pool = poolOf({ size: 2, perOwner: 1 })
    const [one, two] = [longTask(pool), longTask(pool)]
    await untilRunning(pool, 1)
    expect(await pool.run({ do: 'echo', value: 'me' }, { kind: 'photo', owner: 'another' })).toBe('me')
    expect(pool.figures()).toEqual({ waiting: 1, running: 1 })
    await Promise.all([one.end(), two.end(), one.done, two.done])
  })

  test('prepares a task when its turn comes, and a failure of that reaches the caller', async () => {
    const pool = poolOf()
    const running = longTask(pool)
    await untilRunning(pool, 1)
    let prepared = 0
    const prepare = async (): Promise<TestTask> => ({ do: 'echo', value: ++prepared })
    const waiting = pool.run(prepare, ofAlbum)
    const failing = pool.run(() => Promise.reject(new Error('no such file')), ofAlbum)
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
    await expect(pool.run({ do: 'refuse' }, ofAlbum)).rejects.toMatchObject({
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
    const reading = pool.run({ do: 'read', path: join(folder, 'missing') }, ofAlbum)
    await expect(reading).rejects.toMatchObject({
      code: 'ENOENT',
      message: expect.stringContaining('missing'),
    })
    expect((await factsOf(pool)).pid).toBe(pid)
  })

  test('a caller can give up while its task waits', async () => {
    const pool = poolOf()
    const running = longTask(pool)
    await untilRunning(pool, 1)
    const hungUp = new AbortController()
    const waiting = pool.run({ do: 'echo', value: 1 }, { ...ofAlbum, signal: hungUp.signal })
    const refused = expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    hungUp.abort()
    await refused
    expect(pool.figures()).toEqual({ waiting: 0, running: 1 })
    await Promise.all([running.end(), running.done])
    await expect(
      pool.run({ do: 'echo', value: 1 }, { ...ofAlbum, signal: hungUp.signal }),
    ).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('a process knows no key and no address of a database', async () => {
    process.env.SECRET_KEY = 'a secret key'
    process.env.DATABASE_URL = 'postgres://user:password@host/database'
    const { env } = await factsOf(poolOf())
    delete process.env.SECRET_KEY
    delete process.env.DATABASE_URL
    const allowed = ['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE', 'TMPDIR', 'LD_LIBRARY_PATH', 'NODE_CHANNEL_FD']
    expect(env.filter((name) => !allowed.includes(name) && !name.startsWith('NODE_CHANNEL'))).toEqual([])
  })
})

describe('a task over its limits', () => {
  test.each(['wait', 'spin'] as const)('of time is ended with its process, once: %s', async (what) => {
    const pool = poolOf({ timeLimit: 300 })
    const { pid } = await factsOf(pool)
    const task: TestTask = what === 'wait' ? { do: 'wait', until: join(folder, 'never') } : { do: 'spin' }
    const ended = pool.run(task, ofAlbum)
    const behind = factsOf(pool)
    await expect(ended).rejects.toMatchObject({ name: 'TaskFault', reason: 'time' })
    expect(isRunning(pid)).toBe(false)
    expect((await behind).pid).not.toBe(pid)
  })

  test('of processor time is ended with its process, and waiting costs none', async () => {
    const pool = poolOf({ processorLimit: 300 })
    const waiting = longTask(pool)
    await untilRunning(pool, 1)
    await waiting.end()
    await waiting.done
    await expect(pool.run({ do: 'spin' }, ofAlbum)).rejects.toMatchObject({
      name: 'TaskFault',
      reason: 'time',
      message: expect.stringContaining('processor time'),
    })
  })

  test('of memory is ended with its process', async () => {
    const pool = poolOf({ memoryLimit: 300 * MEGABYTE })
    const { pid } = await factsOf(pool)
    const ended = pool.run({ do: 'eat memory' }, ofAlbum)
    await expect(ended).rejects.toMatchObject({ name: 'TaskFault', reason: 'memory' })
    expect(isRunning(pid)).toBe(false)
    expect(await echo(pool, 'next')).toBe('next')
  })
})

test('a process that keeps too much memory after a task answers, and is replaced', async () => {
  const pool = poolOf({ restLimit: 1 * MEGABYTE })
  const { pid } = await factsOf(pool)
  expect(isRunning(pid)).toBe(false)
  expect((await factsOf(pool)).pid).not.toBe(pid)
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

  test.each(['die', 'throw'] as const)('twice with the same task fails it: %s', async (what) => {
    const pool = poolOf()
    const { pid } = await factsOf(pool)
    await expect(pool.run({ do: what }, ofAlbum)).rejects.toMatchObject({
      name: 'TaskFault',
      reason: 'crash',
    })
    expect(isRunning(pid)).toBe(false)
    expect(await echo(pool, 'next')).toBe('next')
  })

  test('while it is idle is replaced when it is needed', async () => {
    const pool = poolOf()
    const { pid } = await factsOf(pool)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isRunning(pid), { interval: 10 }).toBe(false)
    expect((await factsOf(pool)).pid).not.toBe(pid)
  })
})

describe('the number of processes', () => {
  test('extra ones end when they are idle, and the last one stays', async () => {
    const pool = poolOf({ size: 2, idleLimit: 50 })
    const [one, two] = [longTask(pool), longTask(pool)]
    await untilRunning(pool, 2)
    await Promise.all([one.end(), two.end(), one.done, two.done])
    await expect.poll(() => childPids().length, { interval: 10 }).toBe(1)
    expect(childPids()).toEqual([(await factsOf(pool)).pid])
  })

  test('all start at once on demand, and each is replaced at once', async () => {
    const pool = poolOf({ size: 2 })
    await pool.startAll()
    const pids = childPids()
    expect(pids).toHaveLength(2)
    process.kill(pids[0]!, 'SIGKILL')
    await expect
      .poll(() => childPids().filter((pid) => !pids.includes(pid)), { interval: 10 })
      .toHaveLength(1)
    expect(pool.isDown()).toBe(false)
  })

  test('a pool whose program does not start says so', async () => {
    const pool = poolOf({ program: new URL('./missing.ts', import.meta.url) })
    await expect(pool.startAll()).rejects.toThrow(/test process did not start.*Cannot find module/s)
  })

  test('a pool is down while no process starts: tasks are refused', async () => {
    const pool = poolOf({ program: new URL('./missing.ts', import.meta.url) })
    expect(pool.isDown()).toBe(false)
    await expect(echo(pool, 1)).rejects.toMatchObject({ name: 'TaskFault', reason: 'down' })
    expect(pool.isDown()).toBe(true)
  })
})

describe('the end', () => {
  test('closing waits for the running task, refuses the others, and ends the process', async () => {
    const pool = poolOf()
    const { pid } = await factsOf(pool)
    const running = longTask(pool)
    await untilRunning(pool, 1)
    const waiting = expect(echo(pool, 1)).rejects.toMatchObject({ reason: 'closing' })
    const closed = pool.close()
    await waiting
    await running.end()
    await Promise.all([running.done, closed])
    expect(isRunning(pid)).toBe(false)
    await expect(echo(pool, 1)).rejects.toMatchObject({ reason: 'closing' })
  })

  test('a task whose process dies while the pool closes is refused, and does not count as a crash', async () => {
    const pool = poolOf()
    const { pid } = await factsOf(pool)
    const refused = expect(longTask(pool).done).rejects.toMatchObject({ reason: 'closing' })
    await untilRunning(pool, 1)
    const closed = pool.close()
    process.kill(pid, 'SIGKILL')
    await Promise.all([refused, closed])
  })

  test('Ctrl-C and the signal of a service manager leave a process to its parent', async () => {
    const pool = poolOf()
    const { pid } = await factsOf(pool)
    process.kill(pid, 'SIGINT')
    process.kill(pid, 'SIGTERM')
    expect((await factsOf(pool)).pid).toBe(pid)
  })

  test('a process ends when its parent is killed while it works', async () => {
    const script = `
      import { createProcessPool } from ${JSON.stringify(new URL('./process-pool.ts', import.meta.url).href)}
      const pool = createProcessPool({ name: 'test process', program: new URL(${JSON.stringify(PROGRAM.href)}),
        size: 1, timeLimit: 60_000, memoryLimit: 1e9, kinds: ['photo'], log: console })
      const options = { kind: 'photo', owner: 'a' }
      console.log((await pool.run({ do: 'describe' }, options)).pid)
      await pool.run({ do: 'wait', until: ${JSON.stringify(join(folder, 'never'))} }, options)`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    // At the parent's end 'close' comes instead of a line.
    const [line] = await Promise.race([once(parent.stdout, 'data'), once(parent, 'close')])
    const pid = Number(line)
    expect(isRunning(pid)).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(() => isRunning(pid), { interval: 10 }).toBe(false)
  })
})
