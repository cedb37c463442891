/** A program for a pool of processes. Its tasks are what strangers' bytes may do to a decoder. */

import { readFile } from 'node:fs/promises'
import { AppError } from '../errors.ts'
import { answerTasks } from '../processes/answer-tasks.ts'
import { eatMemory, waitForFile } from './harms.ts'

export type TestTask =
  | { do: 'echo'; value: unknown }
  | { do: 'wait'; until: string }
  | { do: 'read'; path: string }
  | { do: 'spin' | 'eat memory' | 'refuse' | 'throw' | 'crash' | 'be killed' | 'describe' }

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
    case 'crash':
      return process.kill(process.pid, 'SIGSEGV')
    case 'be killed':
      return process.kill(process.pid, 'SIGKILL')
    case 'describe':
      return { pid: process.pid, env: Object.keys(process.env) } satisfies ProcessFacts
  }
}

/** What the program says of itself, by its argument. */
const ABOUT: Record<string, () => Promise<Record<string, unknown>>> = {
  'never ready': () => new Promise(() => {}),
  'says who it is': async () => ({ runs: 'on a test' }),
}

await answerTasks(async () => ({ work, about: await ABOUT[process.argv[2] ?? '']?.() }))
