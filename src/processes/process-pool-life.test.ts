import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { describe, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { isRunning, nicenessOf } from '../testing/child-processes.ts'
import {
  childPids,
  echo,
  factsOf,
  MEGABYTE,
  PROGRAM,
  testPools,
  untilRunning,
} from '../testing/test-pools.ts'

const { poolOf, longTask, missingFile } = testPools()

describe('the number of processes', () => {
  test('extra ones end when they are idle, and the last one stays', async () => {
    const pool = poolOf({ size: 2, idleLimit: 50 })
    const [one, two] = [longTask(pool), longTask(pool)]
    await untilRunning(pool, 2)
    await Promise.all([one.end(), two.end(), one.done, two.done])
    await expect.poll(() => childPids().length, { interval: 10 }).toBe(1)
    expect(childPids()).toEqual([(await factsOf(pool)).pid])
  })

  test('all end when they are idle where the last one is not kept, and start again for the next task', async () => {
    const pool = poolOf({ size: 2, idleLimit: 50, keepsLast: false })
    const [one, two] = [longTask(pool), longTask(pool)]
    await untilRunning(pool, 2)
    await Promise.all([one.end(), two.end(), one.done, two.done])
    await expect.poll(childPids, { interval: 10 }).toEqual([])
    expect(await echo(pool, 'next')).toBe('next')
  })

  test('a pool can start one before its first task; the others start when tasks wait', async () => {
    const pool = poolOf({ size: 2 })
    await pool.start()
    const [first] = childPids()
    expect(childPids()).toEqual([first])
    expect((await factsOf(pool)).pid).toBe(first)
    const [one, two] = [longTask(pool), longTask(pool)]
    await untilRunning(pool, 2)
    expect(childPids()).toHaveLength(2)
    await Promise.all([one.end(), two.end(), one.done, two.done])
  })

  test('a started pool replaces its last one at once, also when that kept too much memory', async () => {
    const pool = poolOf({ size: 2, restLimit: 1 * MEGABYTE })
    await pool.start()
    const killed = childPids()
    process.kill(killed[0]!, 'SIGKILL')
    const untilReplaced = (former: number[]) =>
      expect.poll(() => childPids().filter((pid) => !former.includes(pid)), { interval: 10 }).toHaveLength(1)
    await untilReplaced(killed)
    const grown = (await factsOf(pool)).pid
    await untilReplaced([...killed, grown])
    expect(pool.isDown()).toBe(false)
  })

  test('a pool whose program does not start says so', async () => {
    const pool = poolOf({ program: new URL('./missing.ts', import.meta.url) })
    await expect(pool.start()).rejects.toThrow(/test process did not start.*Cannot find module/s)
  })

  test('what a program says of itself is in the log, once', async () => {
    const lines: Record<string, unknown>[] = []
    const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
    const pool = poolOf({ size: 2, args: ['says who it is'], log })
    const [one, two] = [longTask(pool), longTask(pool)]
    await untilRunning(pool, 2)
    await Promise.all([one.end(), two.end(), one.done, two.done])
    expect(lines).toMatchObject([{ runs: 'on a test' }])
  })

  test('a pool is down while no process starts: tasks are refused', async () => {
    const pool = poolOf({ program: new URL('./missing.ts', import.meta.url) })
    expect(pool.isDown()).toBe(false)
    await expect(echo(pool, 1)).rejects.toMatchObject({ name: 'TaskFault', reason: 'down' })
    expect(pool.isDown()).toBe(true)
  })
})

test('a process gives way to others with all its threads', async () => {
  const { pid } = await factsOf(poolOf({ niceness: 1 }))
  expect(new Set(nicenessOf(pid))).toEqual(new Set([getPriority() + 1]))
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

  test('closing while a process starts ends it at once', async () => {
    const pool = poolOf({ args: ['never ready'] })
    const refused = expect(echo(pool, 1)).rejects.toMatchObject({ reason: 'closing' })
    await expect.poll(childPids, { interval: 10 }).toHaveLength(1)
    await pool.close()
    await refused
    expect(childPids()).toEqual([])
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
        size: 1, timeLimit: 60_000, memoryLimit: 1e9, idleLimit: 60_000, keepsLast: true, log: console })
      console.log((await pool.run(() => ({ do: 'describe' }))).pid)
      await pool.run(() => ({ do: 'wait', until: ${JSON.stringify(missingFile())} }))`
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
