/** How many thumbnails load at a time. Over HTTP/1.1 a browser opens six connections to a server: two are left for calls,
 *  and for the photo that a visitor opens. */
const AT_ONCE = 4

interface Turn {
  element: Element
  start: () => void
}

const waiting = new Set<Turn>()
const running = new Set<Turn>()
let isPicking = false

/** Waits for a place among the few pictures that load at a time. Whenever a place is free, the picture that is nearest to
 *  the window gets it, not the one that came first.
 *  @param start is called when it is this element's turn, never at once
 *  @returns what gives the place back, or leaves the line */
export function takeTurn(element: Element, start: () => void): () => void {
  const turn = { element, start }
  waiting.add(turn)
  pickSoon()
  return () => {
    waiting.delete(turn)
    if (running.delete(turn)) pickSoon()
  }
}

/** Later, so that all pictures that appear at the same moment are in the line. */
function pickSoon(): void {
  if (isPicking) return
  isPicking = true
  queueMicrotask(() => {
    isPicking = false
    const byDistance = [...waiting].map((turn) => ({ turn, ...placeOf(turn.element) })).sort(nearestFirst)
    for (const { turn } of byDistance.slice(0, AT_ONCE - running.size)) {
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
