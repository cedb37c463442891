/** Safari has no idle callback. It waits this many ms instead. */
const WITHOUT_IDLE_MS = 300

/** Does some work when the page has nothing more urgent to do. @returns what cancels it */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, WITHOUT_IDLE_MS)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work)
  return () => cancelIdleCallback(handle)
}
