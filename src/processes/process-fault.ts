import { TaskFault } from './task-fault.ts'

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
