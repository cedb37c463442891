/** Why a task has no answer:
 *  - `time`, `memory`: it went over a limit, so its process was ended. The task is at fault and is not tried again;
 *  - `crash`: its process died, and so did the one that tried the task again. The task is at fault;
 *  - `killed`: the same, but somebody else killed the process, for example Linux when it had no memory left. The task
 *    may be harmless;
 *  - `down`: no process starts;
 *  - `closing`: the pool closes. */
export type FaultReason = 'time' | 'memory' | 'crash' | 'killed' | 'down' | 'closing'

export class TaskFault extends Error {
  override readonly name = 'TaskFault'
  readonly reason: FaultReason

  constructor(reason: FaultReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** Why a child process has died, or did not start, in a few words: its signal, or the error that it printed.
 *  @returns undefined for an error that is none of a child process */
export function processFault(error: unknown): { reason: string; signal: string | undefined } | undefined {
  if (!(error instanceof Error)) return undefined
  // The first cause says most.
  const deeper = processFault(error.cause)
  if (deeper || !(error instanceof TaskFault)) return deeper
  const signal = /ended with (SIG\w+)/.exec(error.message)?.[1]
  const lines = error.message.split('\n').map((line) => line.trim())
  const printed = lines.find((line) => /^\w*Error\b|\berror while loading\b/.test(line))
  const reason = signal ? `a process ended with ${signal}` : (printed ?? lines[0]!)
  return { reason: reason.replace(/[.:]$/, ''), signal }
}
