import { AppError } from '../errors.ts'
import { tooManyWaiting } from './picture-errors.ts'

/** Who waits for a piece of work. */
export interface Asker {
  /** The network address. */
  network: string
  /** Aborts when the caller has hung up. */
  signal?: AbortSignal | undefined
}

/** The place of a network in a line. */
export interface Place {
  network: string
  /** Aborts when nobody needs this place any more. */
  signal: AbortSignal
  /** To be called when its turn has come. The work then leaves all other lines, and is done to its end. */
  begin(): void
}

/** Does a piece of work once for all who ask for it at the same time. Each network has a place in its own line, so nobody
 *  waits in a line that a stranger has filled, and the first whose turn comes does the work for all. When all have hung
 *  up, work that has not begun is given up. Work that has begun goes on: its result is kept, so that asking and hanging up
 *  again and again costs no more than asking once.
 *
 *  Throws what the work throws, AppError SERVICE_UNAVAILABLE when the network waits for too much, TIMEOUT when the caller
 *  has hung up. */
export type ShareWork = (key: string, asker: Asker, work: (place: Place) => Promise<void>) => Promise<void>

interface Work {
  /** How many wait, by network. */
  askers: Map<string, number>
  places: Map<string, AbortController>
  hasBegun: boolean
  done: PromiseWithResolvers<void>
}

/** @param mostPlaces that a network may have */
export function createSharedWork(mostPlaces: number): ShareWork {
  const underWay = new Map<string, Work>()
  const placesOf = new Map<string, number>()
  const count = (counts: Map<string, number>, network: string, added: 1 | -1) => {
    const now = (counts.get(network) ?? 0) + added
    if (now > 0) counts.set(network, now)
    else counts.delete(network)
  }

  function begun(key: string): Work {
    const done = Promise.withResolvers<void>()
    // All may have hung up.
    done.promise.catch(() => undefined)
    const work: Work = { askers: new Map(), places: new Map(), hasBegun: false, done }
    underWay.set(key, work)
    return work
  }

  function forget(key: string, work: Work): void {
    if (underWay.get(key) === work) underWay.delete(key)
  }

  async function takePlace(
    key: string,
    work: Work,
    network: string,
    run: (place: Place) => Promise<void>,
  ): Promise<void> {
    const place = new AbortController()
    const { signal } = place
    work.places.set(network, place)
    count(placesOf, network, 1)
    const begin = () => {
      work.hasBegun = true
      for (const other of work.places.values()) if (other !== place) other.abort()
    }
    try {
      await run({ network, signal, begin })
      work.done.resolve()
    } catch (error) {
      // The work goes on in the line of another network, or nobody waits.
      if (!signal.aborted) work.done.reject(error)
    }
    count(placesOf, network, -1)
    if (work.places.get(network) === place) work.places.delete(network)
    if (!signal.aborted) forget(key, work)
  }

  function leave(key: string, work: Work, network: string): void {
    count(work.askers, network, -1)
    if (work.hasBegun || work.askers.has(network)) return
    work.places.get(network)?.abort()
    work.places.delete(network)
    if (work.askers.size === 0) forget(key, work)
  }

  return async (key, { network, signal }, run) => {
    if (signal?.aborted) throw hungUp()
    const running = underWay.get(key)
    const needsPlace = !running || !(running.hasBegun || running.places.has(network))
    if (needsPlace && (placesOf.get(network) ?? 0) >= mostPlaces) throw tooManyWaiting()
    const work = running ?? begun(key)
    count(work.askers, network, 1)
    if (needsPlace) void takePlace(key, work, network, run)
    const left = Promise.withResolvers<never>()
    const onHangUp = () => left.reject(hungUp())
    signal?.addEventListener('abort', onHangUp)
    try {
      await Promise.race([work.done.promise, left.promise])
    } finally {
      signal?.removeEventListener('abort', onHangUp)
      leave(key, work, network)
    }
  }
}

/** Nobody reads it. */
const hungUp = () => new AppError('TIMEOUT', 'The caller has hung up')
