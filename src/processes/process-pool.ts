import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { TaskFault } from './task-fault.ts'
import { startTaskProcess, type TaskLimits, type TaskProcess } from './task-process.ts'

export interface ProcessPoolOptions<Kind extends string> extends TaskLimits {
  /** What its processes are called in the log. */
  name: string
  /** A program that calls `answerTasks`. */
  program: URL
  args?: readonly string[]
  /** The largest number of processes. */
  size: number
  /** The kinds of tasks. All tasks of the first kind come before those of the second. Within a kind, who comes first is
   *  first. */
  kinds: readonly Kind[]
  /** How many processes are kept for the first kind, and as many for all others; none by default. However long the ones
   *  take, the others have a process. */
  keptForEach?: number
  /** Ms after which an idle process is ended; never by default. */
  idleLimit?: number
  /** Whether one process stays, however long it is idle; true by default. */
  keepsLast?: boolean
  /** How far its processes give way to others that want the same core: from 0, the default, to 19; see nice(2). */
  niceness?: number
  log: Log
}

export interface TaskOptions<Kind> {
  kind: Kind
  /** Gives up waiting. A task that has begun goes on. */
  signal?: AbortSignal | undefined
}

/** Child processes that do tasks which may take too long, take too much memory, or crash. Each can be killed without
 *  harm to anything else. Processes start when they are needed. */
export interface ProcessPool<Kind extends string, Task, Answer> {
  /** Does a task in one of the processes. If its process dies, the task is tried once more in another one.
   *  @param task or a function that gives it when its turn comes, so that a waiting task holds no memory
   *  @throws AppError when the program refuses the task, TaskFault when it has no answer, the signal's reason when it
   *    was aborted while it waited */
  run(task: Task | (() => Promise<Task>), options: TaskOptions<Kind>): Promise<Answer>
  /** Starts one process before the first task. From now on one always runs: the last one is replaced when it ends, or
   *  when it is idle after work. Throws when it does not start, and closes the pool. */
  start(): Promise<void>
  /** Whether no process runs and the last try to start one has failed. */
  isDown(): boolean
  /** Tasks. */
  figures(): { waiting: number; running: number }
  /** Waits for the running tasks, refuses those that wait, and ends all processes. */
  close(): Promise<void>
}

interface Job<Kind, Task, Answer> extends TaskOptions<Kind> {
  prepare(): Promise<Task>
  isSecondTry: boolean
  resolve(answer: Answer): void
  reject(error: unknown): void
}

const RESTART_PAUSE_MS = 5_000

export function createProcessPool<Kind extends string, Task, Answer>({
  name,
  program,
  args = [],
  size,
  kinds,
  keptForEach = 0,
  idleLimit,
  keepsLast = true,
  log,
  ...processOptions
}: ProcessPoolOptions<Kind>): ProcessPool<Kind, Task, Answer> {
  const waiting = new Map(kinds.map((kind): [Kind, Job<Kind, Task, Answer>[]] => [kind, []]))
  const processes = new Set<TaskProcess<Task, Answer>>()
  /** The one that has worked last comes last and is used first, so that the others reach their idle limit. */
  const idle = new Map<TaskProcess<Task, Answer>, NodeJS.Timeout | undefined>()
  const hasWorked = new WeakSet<TaskProcess<Task, Answer>>()
  const running = new Set<Job<Kind, Task, Answer>>()
  const underWay = new Set<Promise<void>>()
  const closing = new AbortController()
  let oneAlwaysRuns = false
  let isStarting = false
  let isDown = false
  let said = '{}'

  const isFirst = (kind: Kind) => kind === kinds[0]

  /** The tasks of which the next one may go on. */
  function nextLine(): Job<Kind, Task, Answer>[] | undefined {
    const mayGoOn = (kind: Kind) =>
      [...running].filter((job) => isFirst(job.kind) === isFirst(kind)).length < size - keptForEach
    return [...waiting].find(([kind, line]) => line.length > 0 && mayGoOn(kind))?.[1]
  }

  function dispatch(): void {
    while (idle.size > 0) {
      const job = nextLine()?.shift()
      if (!job) break
      track(run(takeIdle(), job))
    }
    const isOneNeeded = nextLine() !== undefined || (oneAlwaysRuns && processes.size === 0)
    const mayStart = processes.size < size && !isStarting && !closing.signal.aborted
    if (isOneNeeded && mayStart) track(startUntilOneRuns())
  }

  async function run(one: TaskProcess<Task, Answer>, job: Job<Kind, Task, Answer>): Promise<void> {
    running.add(job)
    hasWorked.add(one)
    try {
      job.resolve(await one.run(await job.prepare()))
    } catch (error) {
      fail(job, error)
    }
    running.delete(job)
    if (one.alive) becomeIdle(one)
    dispatch()
  }

  function fail(job: Job<Kind, Task, Answer>, error: unknown): void {
    if (error instanceof TaskFault) log.warn({ err: error, reason: error.reason }, `A ${name} lost its task`)
    const hasDied = error instanceof TaskFault && (error.reason === 'crash' || error.reason === 'killed')
    const mayTryAgain = hasDied && !job.isSecondTry
    if (!mayTryAgain) job.reject(error)
    else if (closing.signal.aborted) job.reject(refusal())
    else {
      job.isSecondTry = true
      waiting.get(job.kind)!.unshift(job)
    }
  }

  function takeIdle(): TaskProcess<Task, Answer> {
    const [one, timer] = [...idle].at(-1)!
    clearTimeout(timer)
    idle.delete(one)
    return one
  }

  function becomeIdle(one: TaskProcess<Task, Answer>): void {
    const timer = idleLimit === undefined ? undefined : setTimeout(() => endIdle(one), idleLimit)
    timer?.unref()
    idle.set(one, timer)
  }

  function endIdle(one: TaskProcess<Task, Answer>): void {
    // Work leaves a process with more memory than a new one has.
    const isReplaced = oneAlwaysRuns && hasWorked.has(one)
    if (keepsLast && processes.size === 1 && !isReplaced) return
    processes.delete(one)
    idle.delete(one)
    track(one.kill())
  }

  async function start(): Promise<void> {
    const { signal } = closing
    const one = await startTaskProcess<Task, Answer>(program, args, { ...processOptions, signal })
    if (signal.aborted) return one.kill()
    sayOnce(one.about)
    isDown = false
    processes.add(one)
    void one.ended.then(() => {
      processes.delete(one)
      clearTimeout(idle.get(one))
      idle.delete(one)
      dispatch()
    })
    becomeIdle(one)
  }

  /** All processes of a pool usually say the same. */
  function sayOnce(about: Record<string, unknown>): void {
    const text = JSON.stringify(about)
    if (text === said) return
    said = text
    log.info(about, `A ${name} has started`)
  }

  async function startUntilOneRuns(): Promise<void> {
    isStarting = true
    while (!closing.signal.aborted) {
      try {
        await start()
        break
      } catch (error) {
        if (closing.signal.aborted) break
        log.error({ err: error }, `A ${name} did not start. It is tried again in a moment`)
        isDown = processes.size === 0
        if (isDown) refuseWaiting(new TaskFault('down', `No ${name} starts.`, error))
        await pause(RESTART_PAUSE_MS, undefined, { signal: closing.signal, ref: false }).catch(
          () => undefined,
        )
      }
    }
    isStarting = false
    dispatch()
  }

  function refuseWaiting(fault: TaskFault): void {
    for (const line of waiting.values()) for (const job of line.splice(0)) job.reject(fault)
  }

  function track(work: Promise<void>): void {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  const refusal = () => new TaskFault('closing', 'The service is stopping.')

  async function close(): Promise<void> {
    closing.abort()
    refuseWaiting(refusal())
    while (underWay.size > 0) await Promise.all(underWay)
    await Promise.all([...processes].map((one) => one.kill()))
  }

  return {
    run(task, options) {
      if (closing.signal.aborted) return Promise.reject(refusal())
      const { signal } = options
      if (signal?.aborted) return Promise.reject(signal.reason)
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      const prepare = typeof task === 'function' ? (task as () => Promise<Task>) : async () => task
      const job = { ...options, prepare, isSecondTry: false, resolve, reject }
      const line = waiting.get(options.kind)!
      const giveUp = () => {
        const index = line.indexOf(job)
        if (index < 0) return
        line.splice(index, 1)
        reject(signal!.reason)
      }
      signal?.addEventListener('abort', giveUp)
      line.push(job)
      dispatch()
      return promise.finally(() => signal?.removeEventListener('abort', giveUp))
    },

    async start() {
      isStarting = true
      const starting = start()
      track(starting.catch(() => undefined))
      try {
        await starting
      } catch (error) {
        await close()
        throw new Error(`A ${name} did not start: ${String(error)}`, { cause: error })
      }
      isStarting = false
      oneAlwaysRuns = true
      dispatch()
    },

    isDown: () => isDown,
    figures: () => ({
      waiting: [...waiting.values()].reduce((sum, { length }) => sum + length, 0),
      running: running.size,
    }),
    close,
  }
}
