import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { createLog } from '../log.ts'
import { createProcessPool, type ProcessPool, type ProcessPoolOptions } from '../processes/process-pool.ts'
import { childrenWith } from './child-processes.ts'
import type { ProcessFacts, TestTask } from './task-program.ts'

export type TestPool = ProcessPool<TestTask, unknown>

export const PROGRAM = new URL('./task-program.ts', import.meta.url)
export const MEGABYTE = 1_000_000

/** Pools of the program for tests. They are closed after each test of the file. */
export interface TestPools {
  /** With one process, unless the options say something else. */
  poolOf(options?: Partial<ProcessPoolOptions>): TestPool
  /** A task that runs until `end` is called. */
  longTask(pool: TestPool, kind?: string): { done: Promise<unknown>; end(): Promise<void> }
  /** A path of a file that does not exist. */
  missingFile(): string
}

export function testPools(): TestPools {
  let folder: string
  const pools: TestPool[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'inframe-pool-'))
  })
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())))
  afterAll(() => rm(folder, { recursive: true }))

  const missingFile = () => join(folder, crypto.randomUUID())
  return {
    missingFile,

    poolOf(options) {
      const pool = createProcessPool<TestTask, unknown>({
        name: 'test process',
        program: PROGRAM,
        size: 1,
        timeLimit: 60_000,
        memoryLimit: 1_000 * MEGABYTE,
        idleLimit: 60_000,
        keepsLast: true,
        log: createLog('silent'),
        ...options,
      })
      pools.push(pool)
      return pool
    },

    longTask(pool, kind = '') {
      const until = missingFile()
      const done = pool.run(() => ({ do: 'wait', until }), { kind })
      return { done, end: () => writeFile(until, '') }
    },
  }
}

export const echo = (pool: TestPool, value: unknown) => pool.run(() => ({ do: 'echo', value }))
export const factsOf = async (pool: TestPool) => (await pool.run(() => ({ do: 'describe' }))) as ProcessFacts

/** The ids of the running processes of all pools. */
export const childPids = () => childrenWith('task-program')

export async function untilRunning(pool: TestPool, count: number): Promise<void> {
  await expect.poll(() => pool.figures().running, { interval: 10 }).toBe(count)
}
