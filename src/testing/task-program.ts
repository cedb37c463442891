/** A program for a pool of processes. Its tasks are what strangers' bytes may do to a decoder. */

import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '../errors.ts'
import { answerTasks } from '../processes/answer-tasks.ts'
import { eatMemory } from './eat-memory.ts'

export type TestTask =
  | { do: 'echo'; value: unknown }
  | { do: 'wait'; until: string }
  | { do: 'read'; path: string }
  | { do: 'spin' | 'eat memory' | 'refuse' | 'throw' | 'die' | 'describe' }

/** What a process of the pool knows of itself. */
export interface ProcessFacts {
  pid: number
  env: string[]
}

async function work(task: TestTask): Promise<unknown> {
  switch (task.do) {
    case 'echo':
      return task.value
    case 'wait':
      return waitForFile(task.until)
    case 'read':
      return readFile(task.path)
    case 'spin':
      for (;;);
    case 'eat memory':
      return eatMemory()
    case 'refuse':
      throw new AppError('UNPROCESSABLE_CONTENT', 'Not this one', { cause: new Error('the reason') })
    case 'throw':
      throw new TypeError('a fault of the program')
    case 'die':
      return process.kill(process.pid, 'SIGKILL')
    case 'describe':
      return { pid: process.pid, env: Object.keys(process.env) } satisfies ProcessFacts
  }
}

/** Resolves when the file exists. */
async function waitForFile(path: string): Promise<void> {
  const watcher = watch(dirname(path))
  while (!existsSync(path)) await once(watcher, 'change')
  watcher.close()
}

await answerTasks(async () => ({ work }))
