/** How many requests are worked on at once. */
export interface PlaceLimits {
  /** Places for all callers together. */
  places: number
  /** Places of one caller, so that there is always one for somebody else. */
  perCaller: number
  /** Requests that may wait for a place. */
  waiting: number
}

export interface PlaceRequest {
  /** Who asks: the network that the request comes from. */
  caller: string
  /** How many places the request takes. The last one that enters may take more than are left. */
  places: number
  /** Runs when the request has its places: at once, or later. */
  enter(): void
  /** Runs instead when too many wait. */
  refuse(): void
}

export interface FairPlaces {
  ask(request: PlaceRequest): void
  /** Gives the places back, or ends the wait for them. Of several calls only the first has an effect. */
  leave(request: PlaceRequest): void
}

/** Places for requests. While all are taken, requests wait, and the callers take turns: one with a thousand requests does
 *  not delay one with a single request. When too many wait, the last request of the caller who has most is refused.
 *  @param givesWay asked in each turn of the event loop: true when those who wait let something else come first */
export function createFairPlaces(limits: PlaceLimits, givesWay: () => boolean = () => false): FairPlaces {
  const inWork = new Set<PlaceRequest>()
  let taken = 0
  const takenBy = new Map<string, number>()
  /** Those who wait, by caller. The caller whose turn it is comes first. */
  const lines = new Map<string, PlaceRequest[]>()
  let waiting = 0
  let isTurnNear = false

  const mayEnter = (caller: string) => taken < limits.places && (takenBy.get(caller) ?? 0) < limits.perCaller

  function take({ caller, places }: PlaceRequest, sign: 1 | -1): void {
    taken += sign * places
    const own = (takenBy.get(caller) ?? 0) + sign * places
    if (own === 0) takenBy.delete(caller)
    else takenBy.set(caller, own)
  }

  function enter(request: PlaceRequest): void {
    inWork.add(request)
    take(request, 1)
    request.enter()
  }

  function giveBack(request: PlaceRequest): void {
    if (!inWork.delete(request)) return
    take(request, -1)
    letEnterSoon()
  }

  function letEnterSoon(): void {
    if (isTurnNear || waiting === 0) return
    isTurnNear = true
    setImmediate(letEnter)
  }

  function letEnter(): void {
    isTurnNear = false
    if (givesWay()) {
      letEnterSoon()
      return
    }
    // A line that is set again comes last, and this loop meets it again.
    for (const [caller, line] of lines) {
      if (!mayEnter(caller)) continue
      const next = line[0]!
      leaveLine(next)
      if (lines.delete(caller)) lines.set(caller, line)
      enter(next)
    }
  }

  function leaveLine(request: PlaceRequest): boolean {
    const line = lines.get(request.caller)
    const index = line?.indexOf(request) ?? -1
    if (!line || index < 0) return false
    line.splice(index, 1)
    waiting--
    if (line.length === 0) lines.delete(request.caller)
    return true
  }

  function refuseOne(): void {
    const longest = [...lines.values()].reduce((a, b) => (b.length > a.length ? b : a))
    const last = longest.at(-1)!
    leaveLine(last)
    last.refuse()
  }

  return {
    ask(request) {
      const line = lines.get(request.caller)
      if (!line && mayEnter(request.caller)) return enter(request)
      if (line) line.push(request)
      else lines.set(request.caller, [request])
      waiting++
      if (waiting > limits.waiting) refuseOne()
    },

    leave(request) {
      // Not at once: what is answered at once takes time, too. So a caller has only so many requests in one turn of the
      // event loop, and others get theirs.
      if (inWork.has(request)) setImmediate(giveBack, request)
      else if (leaveLine(request)) letEnterSoon()
    },
  }
}
