import { MANY_SEARCHES } from '../contract/wording.ts'
import { AppError } from '../errors.ts'

// More guests may search at once than the face engines can serve. A selfie waits in the service for a few seconds at most.
// Beyond that its caller gets a place: a time at which to come again, behind all who were sent away before. The places
// are as far apart as the answers of the engines, so those who come again at their time find room. If they were closer,
// more and more would find none, and the order would be lost. A caller who comes at its time is let in before one who
// comes for the first time.

/** How long selfies in the service may take, in seconds, so that one more is let in. */
const ROOM = {
  forNewcomers: 3,
  /** For a caller whose time has come, and more for each second since then. */
  whenDue: 5,
  perSecondSince: 0.3,
  /** For a selfie that has been sent completely. Others may have come in meanwhile, and nobody likes to send it again. */
  whenSent: 8,
}
/** The first place is so many ms from now. */
const FIRST_PLACE_MS = 1_000
/** The last place. In a larger crowd several callers get this one. */
const LAST_PLACE_MS = 120_000
/** When there is no room for a caller whose time has come, it comes again when there may be, after so many seconds. */
const SOON = { least: 2, most: 10 }

/** Where the callers' places are kept, for all processes. */
export interface Places {
  /** Seconds until the caller's time, negative when it is over; undefined without a place. */
  secondsUntil(caller: string): Promise<number | undefined>
  keep(caller: string, seconds: number): Promise<void>
  giveUp(caller: string): Promise<void>
}

export interface SelfieLine {
  /** Lets a selfie in, or gives its caller a place.
   *  @param caller a session or an address
   *  @param secondsLeft until the selfies that are in the service are answered
   *  @param isSent whether the selfie has been sent completely
   *  @throws AppError SERVICE_UNAVAILABLE with the seconds until the caller's time */
  enter(caller: string, secondsLeft: number, options?: { isSent: boolean }): Promise<void>
}

/** @param interval gives the ms between two answers of the engines
 *  @param now a clock in ms */
export function createSelfieLine({
  places,
  interval,
  now = () => performance.now(),
}: {
  places: Places
  interval: () => number
  now?: () => number
}): SelfieLine {
  /** The time of the last place that this process has given. Each process gives those that its own engines can serve. */
  let lastPlace = 0

  function nextPlace(): number {
    const next = Math.max(lastPlace, now() + FIRST_PLACE_MS) + interval()
    lastPlace = Math.min(next, now() + LAST_PLACE_MS)
    return (lastPlace - now()) / 1_000
  }

  return {
    async enter(caller, secondsLeft, { isSent } = { isSent: false }) {
      if (secondsLeft < ROOM.forNewcomers) return
      if (isSent && secondsLeft < ROOM.whenSent) return await places.giveUp(caller)
      const seconds = await places.secondsUntil(caller)
      if (seconds === undefined) {
        const place = nextPlace()
        await places.keep(caller, place)
        throw manySearches(place)
      }
      if (seconds > 0) throw manySearches(seconds)
      const excess = secondsLeft - roomSince(-seconds)
      if (isSent || excess >= 0) throw manySearches(Math.min(SOON.least + excess, SOON.most))
    },
  }
}

/** The room for a caller whose time came so many seconds ago. */
function roomSince(seconds: number): number {
  return Math.min(ROOM.whenDue + seconds * ROOM.perSecondSince, ROOM.whenSent)
}

/** @param seconds until the caller should come again */
export const manySearches = (seconds = 5) =>
  new AppError('SERVICE_UNAVAILABLE', `${MANY_SEARCHES} Please try again in a moment.`, {
    retryAfter: Math.ceil(seconds),
    isBusy: true,
  })
