import type { AppError } from '../errors.ts'
import { countAhead, makeRoom, nextInTurn, type Queued } from './fair-order.ts'
import { lastSelfieInWork, manySearches } from './refusals.ts'
import { createSentAway } from './sent-away.ts'

// More guests may search at once than the face engines can serve. Selfies arrive in memory, so there is room for some
// only. All others get an answer that says when to come again, within seconds. A caller who comes again goes before
// those of the same network who came later. A network that has little gets room of the one that has most. So one caller,
// who may send often, delays the others little.

/** Selfies that search an album at once, and those that a job matches. */
export type SelfieKind = 'search' | 'submission'

/** It protects this process only, so nothing of it is in Postgres. */
export interface SelfieQueueLimits {
  /** Bytes of memory for all selfies. */
  bytes: number
  /** Of these, for callers who have not shown a right to an album yet. */
  strangersBytes: number
  /** Selfies of one caller: the one in work, and the next. */
  perCaller: number
  /** A newcomer who would probably wait longer than so many ms comes again later. */
  expectedMs: number
  /** No selfie waits longer than this for its turn, in ms. */
  waitMs: number
}

/** A selfie whose first byte has come. */
export interface NewSelfie {
  kind: SelfieKind
  network: string
  sessionId: string | undefined
  /** Of memory. */
  bytes: number
  /** The caller has not shown a right to an album yet. */
  isStranger: boolean
  /** Whether it comes more slowly than a form has to. */
  isBehind(): boolean
  /** Aborts when the caller has hung up. */
  hungUp: AbortSignal
}

/** A selfie that has room in the queue. */
export interface EnteredSelfie {
  /** Aborts when the selfie has to give way to others. The reason is the error to answer. */
  gone: AbortSignal
  /** Waits for its turn. Call it when the selfie has arrived.
   *  @throws AppError SERVICE_UNAVAILABLE, TOO_MANY_REQUESTS while the caller's last selfie is in work */
  turn(): Promise<Turn>
  /** Gives its memory back. A turn goes on until it is ended. */
  leave(): void
}

export interface Turn {
  /** @param isAnswered whether its time says how long a selfie takes */
  end(isAnswered: boolean): void
}

export interface SelfieQueue {
  /** @throws AppError SERVICE_UNAVAILABLE with the seconds after which to come again, TOO_MANY_REQUESTS when the caller
   *  has too many selfies at once */
  enter(selfie: NewSelfie): EnteredSelfie
}

interface Entry extends Queued, NewSelfie {
  state: 'arriving' | 'waiting' | 'working'
  enteredAt: number
  going: AbortController
  begin(turn: Turn): void
}

/** What a call needs besides its picture, so that there are not thousands of small ones. */
const LEAST_BYTES = 512 * 1024
/** A selfie that needs longer to arrive does not keep others from the engines meanwhile, and gives way when it is slow. In
 *  ms. */
const ARRIVES_WITHIN_MS = 3_000
/** Ms of work for a selfie until the first was measured, rather too few, so that no engine is idle; how much the last one
 *  counts, and how many times longer than the others it may count. */
const MEASURED = { firstGuess: 250, lastCounts: 0.1, mostTimes: 2 }
const RETRY_AFTER_SECONDS = { least: 1, most: 10 }

/** @param turns how many selfies of a kind are in work at once, at least two. The last turn is for a network that has no
 *  selfie in work
 *  @param now a clock in ms */
export function createSelfieQueue(
  limits: SelfieQueueLimits,
  turns: Record<SelfieKind, number>,
  now = () => performance.now(),
): SelfieQueue {
  const entries = new Set<Entry>()
  const sentAway = createSentAway(now)
  const lastTurns = new Map<string, number>()
  /** Ms of work for a selfie. */
  const measured: Record<SelfieKind, number> = {
    search: MEASURED.firstGuess,
    submission: MEASURED.firstGuess,
  }

  /** The last time that was given to a newcomer. No two get the same. */
  let lastSince = 0
  const sinceNow = () => {
    lastSince = Math.max(now(), lastSince + 0.001)
    return lastSince
  }

  const those = (is: (entry: Entry) => boolean) => [...entries].filter(is)
  const inState = (kind: SelfieKind, state: Entry['state']) =>
    those((entry) => entry.kind === kind && entry.state === state)
  /** Ms from one answer to the next while all work. */
  const interval = (kind: SelfieKind) => measured[kind] / (turns[kind] - 1)

  const isLate = (entry: Entry) => entry.state === 'arriving' && now() - entry.enteredAt >= ARRIVES_WITHIN_MS
  const isSlow = (entry: Entry) => isLate(entry) && entry.isBehind()

  /** Those that need a turn now or soon. */
  const soonInWork = (kind: SelfieKind) =>
    those(
      (entry) =>
        entry.kind === kind && (entry.state === 'waiting' || (entry.state === 'arriving' && !isLate(entry))),
    )

  /** Until a caller who comes again probably finds room. Half of those who wait are left then, so that no engine is idle. */
  function secondsUntilRoom(one: Queued & Pick<NewSelfie, 'kind'>): number {
    const others = [...soonInWork(one.kind), ...sentAway.all()].filter(({ caller }) => caller !== one.caller)
    const ms = countAhead(one, others) * interval(one.kind) - limits.expectedMs / 2
    const seconds = Math.ceil(ms / 1_000)
    return Math.min(Math.max(seconds, RETRY_AFTER_SECONDS.least), RETRY_AFTER_SECONDS.most)
  }

  /** Those who go for a newcomer; undefined when it finds no room. */
  function whoGoFor(newcomer: Entry): Entry[] | undefined {
    const going = new Set<Entry>()
    const free = (most: number, sizeOf: (entry: Entry) => number, all: Entry[], movable: Entry[]) =>
      makeRoom(newcomer, { most, all, movable, going }, { sizeOf, isLate, isSlow })
    const { kind } = newcomer
    const places = Math.max(turns[kind], Math.floor(limits.expectedMs / interval(kind)))
    const soon = soonInWork(kind)
    const isStranger = (entry: Entry) => entry.isStranger
    const isArriving = (entry: Entry) => entry.state === 'arriving'
    const bytesOf = ({ bytes }: Entry) => bytes
    const strangers = those(isStranger)
    const hasRoom =
      free(places, () => 1, soon, soon) &&
      (!newcomer.isStranger ||
        free(limits.strangersBytes, bytesOf, strangers, strangers.filter(isArriving))) &&
      free(limits.bytes, bytesOf, [...entries], those(isArriving))
    return hasRoom ? [...going] : undefined
  }

  function remove(entry: Entry): void {
    entries.delete(entry)
    if (!those(({ network }) => network === entry.network).length) lastTurns.delete(entry.network)
  }

  function sendAway(entry: Entry): void {
    remove(entry)
    entry.going.abort(refusal(entry))
  }

  function refusal(one: Entry): AppError {
    if (inState(one.kind, 'working').some(({ caller }) => caller === one.caller)) return lastSelfieInWork()
    const seconds = secondsUntilRoom(one)
    // Who has another selfie in the queue is not waiting for room.
    if (those(({ caller }) => caller === one.caller).length === 0) sentAway.remember(one, seconds)
    return manySearches(seconds)
  }

  function giveTurns(kind: SelfieKind): void {
    for (;;) {
      const working = inState(kind, 'working')
      if (working.length >= turns[kind]) return
      const perNetwork = working.length + 1 < turns[kind] ? turns[kind] - 1 : 1
      const next = nextInTurn(inState(kind, 'waiting'), working, { perNetwork, lastTurns })
      if (!next) return
      begin(next)
    }
  }

  function begin(entry: Entry): void {
    const began = now()
    entry.state = 'working'
    lastTurns.set(entry.network, began)
    sentAway.forget(entry.caller)
    let hasEnded = false
    entry.begin({
      end(isAnswered) {
        if (hasEnded) return
        hasEnded = true
        if (isAnswered) measure(entry.kind, now() - began)
        remove(entry)
        giveTurns(entry.kind)
      },
    })
  }

  /** A single picture that takes very long must not make all others look slow. */
  function measure(kind: SelfieKind, ms: number): void {
    const counted = Math.min(ms, MEASURED.mostTimes * measured[kind])
    measured[kind] += MEASURED.lastCounts * (counted - measured[kind])
  }

  async function turnOf(entry: Entry): Promise<Turn> {
    const { signal } = entry.going
    signal.throwIfAborted()
    const turn = Promise.withResolvers<Turn>()
    signal.addEventListener('abort', () => turn.reject(signal.reason))
    entry.begin = turn.resolve
    entry.state = 'waiting'
    giveTurns(entry.kind)
    const waits = setTimeout(() => sendAway(entry), limits.waitMs)
    try {
      return await turn.promise
    } finally {
      clearTimeout(waits)
    }
  }

  return {
    enter(selfie) {
      const { network, sessionId, isStranger, hungUp } = selfie
      const caller = isStranger ? `stranger ${network}` : (sessionId ?? network)
      const most = isStranger ? 1 : limits.perCaller
      if (those((entry) => entry.caller === caller).length >= most) throw lastSelfieInWork()
      const entry: Entry = {
        ...selfie,
        caller,
        bytes: Math.max(selfie.bytes, LEAST_BYTES),
        since: sentAway.sinceOf(caller) ?? sinceNow(),
        state: 'arriving',
        enteredAt: now(),
        going: new AbortController(),
        begin: () => {},
      }
      const going = whoGoFor(entry)
      if (!going) throw refusal(entry)
      for (const other of going) sendAway(other)
      entries.add(entry)
      hungUp.addEventListener('abort', () => {
        if (entry.state !== 'waiting') return
        remove(entry)
        entry.going.abort(hungUp.reason)
      })
      return {
        gone: entry.going.signal,
        turn: () => turnOf(entry),
        leave() {
          entry.bytes = 0
          if (entry.state === 'working') return
          // A selfie that was not sent had its room. A caller who never finishes one does not come before the others for ever.
          if (!entry.going.signal.aborted) sentAway.forget(caller)
          remove(entry)
        },
      }
    },
  }
}
