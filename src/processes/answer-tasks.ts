import { writeFileSync } from 'node:fs'
import { AppError, type ErrorCode } from '../errors.ts'

/** What the parent receives for a task. */
export type Reply<Answer> =
  | { answer: Answer }
  | { refused: { code: ErrorCode; message: string; cause: unknown } }
  | { failed: { code: string; message: string } }
  | { fault: unknown }

/** What the parent receives first. */
export interface Ready {
  /** What is worth a line in the log, such as the libraries that were loaded. */
  ready: Record<string, unknown>
}

export interface Program<Task, Answer> {
  work(task: Task): Promise<Answer>
  about?: Ready['ready']
}

/** Makes this program one of a pool: it says that it is ready, then answers one task at a time. An AppError and an
 *  error of the system, such as a missing file, go to the caller of the task. Any other error ends the process, because
 *  its memory may be damaged. */
export async function answerTasks<Task, Answer>(load: () => Promise<Program<Task, Answer>>): Promise<void> {
  // Ctrl-C and service managers signal all processes. The parent first finishes its work and then ends this one.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => undefined)
  // The parent has ended, maybe by SIGKILL. process.exit() would wait for a decode in libuv's threads.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  dieFirstWhenMemoryRunsOut()
  const { work, about = {} } = await load()
  process.on('message', async (task: Task) => {
    const reply = await replyTo(work(task))
    process.send?.(reply, () => 'fault' in reply && process.exit(1))
  })
  process.send?.({ ready: about } satisfies Ready)
}

async function replyTo<Answer>(work: Promise<Answer>): Promise<Reply<Answer>> {
  try {
    return { answer: await work }
  } catch (error) {
    if (error instanceof AppError) {
      const { code, message, cause } = error
      return { refused: { code, message, cause } }
    }
    const { syscall, code, message } = error as NodeJS.ErrnoException
    return syscall && code ? { failed: { code, message } } : { fault: error }
  }
}

/** When a machine has no memory left, Linux ends the process with the highest score. That must not be the server or
 *  Postgres. */
function dieFirstWhenMemoryRunsOut(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500')
  } catch {
    // /proc may be read-only in a container.
  }
}
