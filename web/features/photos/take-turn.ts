/** How many thumbnails load at a time. Over HTTP/1.1 a browser opens six connections to a server: two are left for calls,
 *  and for the photo that a visitor opens. */
const AT_ONCE = 4
/** What waits for the first picture waits no longer than this: the picture may never come. */
const FIRST_PICTURE_MS = 3_000

interface Turn {
  element: Element
  start: () => void
}

const waiting = new Set<Turn>()
const running = new Set<Turn>()
const afterFirst = new Set<() => void>()
let isPicking = false
/** Whether the line was empty before: then the first row begins alone. */
let isFresh = true
let hasLoadedOne = false

/** Waits for a place among the few pictures that load at a time. Whenever a place is free, the picture that is nearest to
 *  the window gets it, not the one that came first. The first row begins alone: it is there sooner when it does not share
 *  a slow network.
 *  @param start is called when it is this element's turn, never at once
 *  @returns what gives the place back, or leaves the line */
export function takeTurn(element: Element, start: () => void): () => void {
  const turn = { element, start }
  isFresh ||= waiting.size + running.size === 0
  waiting.add(turn)
  pickSoon()
  return () => {
    waiting.delete(turn)
    if (!running.delete(turn)) return
    pickSoon()
    hasLoadedOne = true
    for (const work of afterFirst) work()
  }
}

/** Does some work after the first picture since the site was opened: when it has loaded, failed or been scrolled away.
 *  So the two do not share a slow network. If that has happened before, the work begins at once.
 *  @returns what cancels it */
export function afterFirstPicture(work: () => void): () => void {
  if (hasLoadedOne) {
    work()
    return () => {}
  }
  const once = () => {
    cancel()
    work()
  }
  const timer = setTimeout(once, FIRST_PICTURE_MS)
  afterFirst.add(once)
  function cancel(): void {
    clearTimeout(timer)
    afterFirst.delete(once)
  }
  return cancel
}

/** Picks a little later, when all pictures that appear together are in the line. */
function pickSoon(): void {
  if (isPicking) return
  isPicking = true
  queueMicrotask(() => {
    isPicking = false
    const byDistance = [...waiting].map((turn) => ({ turn, ...placeOf(turn.element) })).sort(nearestFirst)
    const next = isFresh ? byDistance.filter(({ top }) => top === byDistance[0]!.top) : byDistance
    isFresh = false
    for (const { turn } of next.slice(0, AT_ONCE - running.size)) {
      waiting.delete(turn)
      running.add(turn)
      turn.start()
    }
  })
}

interface Place {
  /** Pixels from the window; 0 inside it. */
  distance: number
  top: number
  left: number
}

function placeOf(element: Element): Place {
  const { top, bottom, left } = element.getBoundingClientRect()
  return { distance: Math.max(0, top - window.innerHeight, -bottom), top, left }
}

function nearestFirst(one: Place, other: Place): number {
  return one.distance - other.distance || one.top - other.top || one.left - other.left
}
