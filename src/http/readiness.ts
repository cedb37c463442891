import { setTimeout as pause } from 'node:timers/promises'
import { atMostEvery } from '../at-most-every.ts'
import { databaseFault } from '../database/faults.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'

/** How long a check may take, in ms. A balancer waits only a few seconds for an answer. */
const CHECK_TIMEOUT_MS = 2_000
/** How long an answer is reused, in ms, so that many requests do not put load on the dependencies. */
const ANSWER_MS = 1_000

export interface Dependency {
  /** Throws when the dependency is unavailable. */
  check(): Promise<unknown>
  /** Whether this process cannot serve anybody without it. */
  isNeeded: boolean
  /** Ms between two checks; a second by default. */
  everyMs?: number
}

export interface DependencyState {
  ok: boolean
  /** How long the check took. */
  ms: number
  /** Why it is not ok, for a maintainer. */
  message?: string
}

export interface Readiness {
  /** Whether this process can take requests: it is not stopping, and all needed dependencies are available. */
  isReady(): Promise<boolean>
  /** The state of everything it depends on, or only of what is named. */
  dependencies(names?: readonly string[]): Promise<Record<string, DependencyState>>
  /** Makes the process not ready from now on. */
  stop(): void
  isStopping(): boolean
}

export function createReadiness(dependencies: Record<string, Dependency>, log: Log): Readiness {
  let isStopping = false
  const entries = Object.entries(dependencies)
  const states = new Map(
    entries.map(([name, dependency]) => [
      name,
      atMostEvery(dependency.everyMs ?? ANSWER_MS, createProbe(name, dependency, log)),
    ]),
  )
  const needed = entries.filter(([, { isNeeded }]) => isNeeded).map(([name]) => states.get(name)!)

  return {
    async isReady() {
      if (isStopping) return false
      const found = await Promise.all(needed.map((state) => state()))
      return !isStopping && found.every(({ ok }) => ok)
    },
    async dependencies(names = [...states.keys()]) {
      const asked = [...states].filter(([name]) => names.includes(name))
      const found = asked.map(async ([name, state]) => [name, await state()] as const)
      return Object.fromEntries(await Promise.all(found))
    },
    stop() {
      isStopping = true
    },
    isStopping: () => isStopping,
  }
}

/** Makes a function that runs the check and returns its result. When the check takes too long, it counts as failed, and
 *  the next call waits for the same check. Changes are logged. */
function createProbe(name: string, { check }: Dependency, log: Log): () => Promise<DependencyState> {
  let running: Promise<unknown> | undefined
  let wasOk = true

  return async () => {
    const began = performance.now()
    running ??= check().finally(() => {
      running = undefined
    })
    const fault = await faultOf(running)
    const ok = fault === undefined
    if (wasOk && !ok) log.warn({ dependency: name, err: fault }, 'A dependency is unavailable')
    if (!wasOk && ok) log.info({ dependency: name }, 'A dependency is available again')
    wasOk = ok
    const ms = Math.round(performance.now() - began)
    return ok ? { ok, ms } : { ok, ms, message: inWords(fault) }
  }
}

async function faultOf(check: Promise<unknown>): Promise<unknown> {
  const timer = new AbortController()
  const late = pause(CHECK_TIMEOUT_MS, undefined, { signal: timer.signal, ref: false }).then(
    () => new AppError('SERVICE_UNAVAILABLE', `No answer in ${CHECK_TIMEOUT_MS} ms`),
  )
  late.catch(() => {
    // Aborted, because the check was faster.
  })
  try {
    return await Promise.race([check.then(() => undefined), late])
  } catch (error) {
    return error ?? new Error('The check failed')
  } finally {
    timer.abort()
  }
}

/** The message for a maintainer. Our own messages are returned. Of other errors only the code is, since their messages
 *  contain addresses and paths; the log has them. */
function inWords(fault: unknown): string {
  const code = codeOf(fault instanceof AppError ? fault.cause : fault)
  const what = code ? ` (${code})` : ''
  if (fault instanceof AppError) return fault.message.endsWith('.') ? fault.message : fault.message + what
  return databaseFault(fault) ? `Does not answer${what}` : `The check failed${what}. See the log.`
}

/** The first code in a chain of errors, such as ECONNREFUSED. */
function codeOf(fault: unknown): string | undefined {
  if (typeof fault !== 'object' || fault === null) return undefined
  if ('code' in fault && typeof fault.code === 'string') return fault.code
  return 'cause' in fault ? codeOf(fault.cause) : undefined
}
