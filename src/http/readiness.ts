import { setTimeout as pause } from 'node:timers/promises'
import { atMostEvery } from '../at-most-every.ts'
import { databaseAway } from '../database/faults.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'

/** Ms. Whoever asks whether a process is ready waits a few seconds at most. */
const PATIENCE_MS = 2_000
/** Ms for which an answer is kept, so that asking is no way to load what is asked about. */
const ANSWER_MS = 1_000

export interface Dependency {
  /** Throws when it cannot be had. */
  check(): Promise<unknown>
  /** Without it this process can serve nobody, while another one perhaps can. */
  isNeeded: boolean
  /** Ms between two checks; a second by default. */
  everyMs?: number
}

export interface DependencyState {
  ok: boolean
  /** What the check took. */
  ms: number
  /** Why it is not ok, for a maintainer. */
  message?: string
}

export interface Readiness {
  /** Whether this process is to be sent requests: it is not stopping, and has all it needs. */
  isReady(): Promise<boolean>
  /** The state of everything it depends on. */
  dependencies(): Promise<Record<string, DependencyState>>
  /** From now on it is not ready. */
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
    async dependencies() {
      const found = [...states].map(async ([name, state]) => [name, await state()] as const)
      return Object.fromEntries(await Promise.all(found))
    },
    stop() {
      isStopping = true
    },
    isStopping: () => isStopping,
  }
}

/** Says what a check says, or that it took too long; then the next answer waits for the same one. A change is
 *  logged. */
function createProbe(name: string, { check }: Dependency, log: Log): () => Promise<DependencyState> {
  let underWay: Promise<unknown> | undefined
  let wasOk = true

  return async () => {
    const began = performance.now()
    underWay ??= check().finally(() => {
      underWay = undefined
    })
    const fault = await faultOf(underWay)
    const ok = fault === undefined
    if (wasOk && !ok) log.warn({ dependency: name, err: fault }, 'A dependency cannot be had')
    if (!wasOk && ok) log.info({ dependency: name }, 'A dependency is back')
    wasOk = ok
    const ms = Math.round(performance.now() - began)
    return ok ? { ok, ms } : { ok, ms, message: inWords(fault) }
  }
}

async function faultOf(check: Promise<unknown>): Promise<unknown> {
  const timer = new AbortController()
  const late = pause(PATIENCE_MS, undefined, { signal: timer.signal, ref: false }).then(
    () => new AppError('SERVICE_UNAVAILABLE', `No answer in ${PATIENCE_MS} ms`),
  )
  late.catch(() => {
    // Cut short, since the check was quicker.
  })
  try {
    return await Promise.race([check.then(() => undefined), late])
  } catch (error) {
    return error ?? new Error('The check failed')
  } finally {
    timer.abort()
  }
}

/** Messages of ours are meant to be read. Of other faults only the code is told: their messages hold addresses and
 *  paths, and stand in the log. */
function inWords(fault: unknown): string {
  if (fault instanceof AppError) return fault.message
  const code = (fault as { code?: unknown }).code
  const what = typeof code === 'string' ? ` (${code})` : ''
  return databaseAway(fault) ? `Does not answer${what}` : `The check failed${what}; the log says more`
}
