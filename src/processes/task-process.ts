import { fork } from 'node:child_process'
import { AppError } from '../errors.ts'
import type { Ready, Reply } from './answer-tasks.ts'
import { processorMsOf, residentBytesOf } from './process-figures.ts'
import { TaskFault } from './task-fault.ts'

/** The limits of one task. */
export interface TaskLimits {
  /** Ms. */
  timeLimit: number
  /** Ms of processor time, all threads together; no limit by default. On a busy machine a task takes longer, but not
   *  more processor time. */
  processorLimit?: number | undefined
  /** Bytes of memory that the process may have while it works, all included (its resident set). */
  memoryLimit: number
  /** Bytes that it may have after a task; `memoryLimit` by default. If it has more, it is ended, so that no later task
   *  fails because of it. */
  restLimit?: number | undefined
}

export interface StartOptions extends TaskLimits {
  /** How far it gives way to other processes that want the same core: up to 19; see nice(1). */
  niceness?: number | undefined
  /** Ends the process while it starts. */
  signal?: AbortSignal | undefined
}

/** A child process that does one task at a time. */
export interface TaskProcess<Task, Answer> {
  readonly pid: number
  readonly alive: boolean
  /** What the program says of itself. */
  readonly about: Record<string, unknown>
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>
  /** @throws AppError when the program refuses the task; TaskFault when the process was ended over a limit, or died; an
   *    error of the system with its code */
  run(task: Task): Promise<Answer>
  /** Ends the process at once. */
  kill(): Promise<void>
}

/** Ms between two looks at the memory and the processor time of a process that works. A decoder fills about 2 GB a second. */
const WATCH_MS = 25
const START_LIMIT_MS = 60_000
/** The process gets these variables only: no key, no address of a database. */
const PASSED_ON = ['NODE_COMPILE_CACHE', 'TMPDIR', 'LD_LIBRARY_PATH', 'PATH']
/** All three keep a process that decodes many pictures small. The last one is glibc's own default. Once it is set, glibc
 *  does not raise it, and gives large blocks back to the system. Measured with the face engine after 30 selfies and 24
 *  photos, in the same processor time: 360 MB with the first two, 290 MB with all. */
const EXEC_ARGV = ['--max-semi-space-size=1']
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }
/** Characters of its standard error that are kept for the log. */
const LAST_WORDS = 2_000

/** Starts a program that calls `answerTasks`, and waits until it is ready.
 *  @throws TaskFault when it ends before that; its reason is `closing` when the signal ended it */
export async function startTaskProcess<Task, Answer>(
  program: URL,
  args: readonly string[],
  {
    timeLimit,
    processorLimit = Number.POSITIVE_INFINITY,
    memoryLimit,
    restLimit = memoryLimit,
    niceness = 0,
    signal,
  }: StartOptions,
): Promise<TaskProcess<Task, Answer>> {
  const child = fork(program, args, {
    serialization: 'advanced',
    // With all its threads, which nobody could reach later.
    ...(niceness > 0
      ? { execPath: 'nice', execArgv: ['-n', String(niceness), process.execPath, ...EXEC_ARGV] }
      : { execArgv: EXEC_ARGV }),
    env: { ...Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])), ...ALLOCATOR },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const ended = Promise.withResolvers<void>()
  let alive = true
  let reply = Promise.withResolvers<unknown>()
  let fault: TaskFault | undefined
  let lastWords = ''

  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS)
  })
  child.on('message', (message) => reply.resolve(message))
  // It could not be started. 'close' follows.
  child.on('error', (error) => {
    fault ??= new TaskFault('crash', `The process failed: ${error.message}`, error)
  })
  child.on('close', (code, endedBy) => {
    alive = false
    const end = `The process ended with ${endedBy ?? `code ${code}`}. ${lastWords}`.trim()
    // A limit sets a fault before it kills. A crash has another signal, or an exit code.
    reply.reject(fault ?? new TaskFault(endedBy === 'SIGKILL' ? 'killed' : 'crash', end))
    ended.resolve()
  })

  /** Waits for a message of the process. Ends the process when none comes in time. */
  async function messageWithin(ms: number, onLate: () => TaskFault): Promise<unknown> {
    const timer = setTimeout(() => endFor(onLate()), ms)
    try {
      return await reply.promise
    } finally {
      clearTimeout(timer)
    }
  }

  function endFor(reason: TaskFault): void {
    fault ??= reason
    child.kill('SIGKILL')
  }

  async function kill(): Promise<void> {
    child.kill('SIGKILL')
    await ended.promise
  }

  const stop = () => endFor(new TaskFault('closing', 'The process is no longer needed.'))
  signal?.addEventListener('abort', stop)
  const { ready } = (await messageWithin(
    START_LIMIT_MS,
    () => new TaskFault('crash', `The process was not ready within ${START_LIMIT_MS} ms.`),
  ).finally(() => signal?.removeEventListener('abort', stop))) as Ready

  return {
    pid: child.pid!,
    about: ready,
    get alive() {
      return alive
    },
    ended: ended.promise,

    async run(task) {
      reply = Promise.withResolvers()
      const processorMsBefore = processorMsOf(child.pid!)
      const watch = setInterval(() => {
        if (residentBytesOf(child.pid!) > memoryLimit)
          endFor(new TaskFault('memory', `The task needed more than ${memoryLimit} bytes of memory.`))
        if (processorMsOf(child.pid!) - processorMsBefore > processorLimit)
          endFor(new TaskFault('time', `The task used more than ${processorLimit} ms of processor time.`))
      }, WATCH_MS)
      try {
        // When it cannot be sent, the process is ending, and 'close' says why.
        child.send(task as object, () => undefined)
        const late = () => new TaskFault('time', `The task took more than ${timeLimit} ms.`)
        const message = (await messageWithin(timeLimit, late)) as Reply<Answer>
        if ('fault' in message || residentBytesOf(child.pid!) > restLimit) await kill()
        return answerOf(message)
      } finally {
        clearInterval(watch)
      }
    },

    kill,
  }
}

function answerOf<Answer>(reply: Reply<Answer>): Answer {
  if ('answer' in reply) return reply.answer
  if ('fault' in reply) throw new TaskFault('crash', 'The task failed.', reply.fault)
  if ('failed' in reply) throw Object.assign(new Error(reply.failed.message), { code: reply.failed.code })
  const { code, message, cause } = reply.refused
  throw new AppError(code, message, { cause })
}
