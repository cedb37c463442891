import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { createLimiter } from './limiter.ts'
import { TaskFault } from './task-fault.ts'
import { type StartOptions, startTaskProcess, type TaskProcess } from './task-process.ts'

export interface ProcessPoolOptions extends Omit<StartOptions, 'signal'> {
  /** What its processes are called in the log. */
  name: string
  /** A program that calls `answerTasks`. */
  program: URL
  args?: readonly string[]
  /** The largest number of processes. */
  size: number
  /** Ms after which an idle process is ended. */
  idleLimit: number
  /** Whether one process stays, however long it is idle. */
  keepsLast: boolean
  log: Log
}

export interface TaskOptions {
  /** Kinds take turns. */
  kind?: string
  /** Gives up waiting. A task that has begun goes on. */
  signal?: AbortSignal | undefined
}

/** Child processes that do tasks which may take too long, take too much memory, or crash. Each can be killed without
 *  harm to anything else. Processes start when they are needed. */
export interface ProcessPool<Task, Answer> {
  /** Does a task in one of the processes. If its process dies, the task is tried once more in another one.
   *  @param prepare gives the task when its turn comes, so that a waiting task holds no memory
   *  @throws AppError when the program refuses the task, TaskFault when it has no answer, the signal's reason when it
   *    was aborted while it waited */
  run(prepare: () => Task | Promise<Task>, options?: TaskOptions): Promise<Answer>
  /** Starts one process before the first task. From now on the last one is replaced when it dies. Throws when it does not
   *  start, and closes the pool. */
  start(): Promise<void>
  /** Whether no process runs and the last try to start one has failed. Another try follows in a moment. */
  isDown(): boolean
  /** Tasks. */
  figures(): { waiting: number; running: number }
  /** Waits for the running tasks, refuses those that wait, and ends all processes. */
  close(): Promise<void>
}

const RESTART_PAUSE_MS = 5_000

export function createProcessPool<Task, Answer>({
  name,
  program,
  args = [],
  size,
  idleLimit,
  keepsLast,
  log,
  ...startOptions
}: ProcessPoolOptions): ProcessPool<Task, Answer> {
  const limiter = createLimiter({ running: size })
  const processes = new Set<TaskProcess<Task, Answer>>()
  /** The one that has worked last comes last and is used first, so that the others reach their idle limit. */
  const idle = new Map<TaskProcess<Task, Answer>, NodeJS.Timeout>()
  const underWay = new Set<Promise<unknown>>()
  const closing = new AbortController()
  let oneAlwaysRuns = false
  let isDown = false
  let isRecovering = false
  let said = '{}'

  /** Starts a process.
   *  @throws TaskFault */
  async function launch(): Promise<TaskProcess<Task, Answer>> {
    const { signal } = closing
    try {
      const one = await startTaskProcess<Task, Answer>(program, args, { ...startOptions, signal })
      isDown = false
      sayOnce(one.about)
      processes.add(one)
      void one.ended.then(() => {
        leaveIdle(one)
        processes.delete(one)
        if (oneAlwaysRuns && processes.size === 0) track(startUntilOneRuns())
      })
      return one
    } catch (error) {
      if (signal.aborted) throw signal.reason
      log.error({ err: error }, `A ${name} did not start. It is tried again in a moment`)
      isDown = processes.size === 0
      if (isDown) track(startUntilOneRuns())
      throw new TaskFault('down', `No ${name} starts.`, error)
    }
  }

  /** Nobody sends tasks to a service that says it is down. So it must not take one to find out that all is well again. */
  async function startUntilOneRuns(): Promise<void> {
    if (isRecovering) return
    isRecovering = true
    while (processes.size === 0 && !closing.signal.aborted)
      try {
        if (isDown) await pause(RESTART_PAUSE_MS, undefined, { signal: closing.signal, ref: false })
        becomeIdle(await launch())
      } catch {
        // It is in the log.
      }
    isRecovering = false
  }

  /** All processes of a pool usually say the same. */
  function sayOnce(about: Record<string, unknown>): void {
    if (JSON.stringify(about) === said) return
    said = JSON.stringify(about)
    log.info(about, `A ${name} has started`)
  }

  async function attempt(prepare: () => Task | Promise<Task>): Promise<Answer> {
    closing.signal.throwIfAborted()
    if (isDown) throw new TaskFault('down', `No ${name} starts.`)
    const last = [...idle.keys()].at(-1)
    if (last) leaveIdle(last)
    const one = last ?? (await launch())
    try {
      return await one.run(await prepare())
    } catch (error) {
      if (error instanceof TaskFault)
        log.warn({ err: error, reason: error.reason }, `A ${name} lost its task`)
      throw error
    } finally {
      becomeIdle(one)
    }
  }

  function leaveIdle(one: TaskProcess<Task, Answer>): void {
    clearTimeout(idle.get(one))
    idle.delete(one)
  }

  function becomeIdle(one: TaskProcess<Task, Answer>): void {
    if (one.alive) idle.set(one, setTimeout(() => endIdle(one), idleLimit).unref())
  }

  function endIdle(one: TaskProcess<Task, Answer>): void {
    if (keepsLast && processes.size === 1) return
    processes.delete(one)
    leaveIdle(one)
    track(one.kill())
  }

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work)
    void work.catch(() => undefined).finally(() => underWay.delete(work))
    return work
  }

  async function close(): Promise<void> {
    closing.abort(new TaskFault('closing', 'The service is stopping.'))
    while (underWay.size > 0) await Promise.allSettled(underWay)
    await Promise.all([...processes].map((one) => one.kill()))
  }

  return {
    run(prepare, { kind = '', signal } = {}) {
      const work = () =>
        track(
          attempt(prepare).catch((error) => {
            const hasDied =
              error instanceof TaskFault && (error.reason === 'crash' || error.reason === 'killed')
            if (!hasDied) throw error
            return attempt(prepare)
          }),
        )
      const signals = signal ? [signal, closing.signal] : [closing.signal]
      return limiter.run(kind, work, { signal: AbortSignal.any(signals) })
    },

    async start() {
      try {
        becomeIdle(await track(launch()))
      } catch (error) {
        await close()
        throw new Error(`A ${name} did not start: ${String((error as Error).cause)}`, { cause: error })
      }
      oneAlwaysRuns = true
    },

    isDown: () => isDown,
    figures: limiter.figures,

    close,
  }
}
