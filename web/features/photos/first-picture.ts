/** What waits for the first picture waits no longer than this: the picture may never come. */
const FIRST_PICTURE_MS = 3_000
let hasLoadedOne = false

/** Does some work after the first picture since the site was opened, when it has loaded or failed. So the two do not
 *  share a slow network. If that has happened before, the work begins at once.
 *  @returns what cancels it */
export function afterFirstPicture(work: () => void): () => void {
  if (hasLoadedOne) {
    work()
    return () => {}
  }
  const waiting = new AbortController()
  const timer = setTimeout(begin, FIRST_PICTURE_MS)
  const cancel = () => {
    waiting.abort()
    clearTimeout(timer)
  }
  function begin(): void {
    cancel()
    hasLoadedOne = true
    work()
  }
  for (const end of ['load', 'error'])
    document.addEventListener(end, ({ target }) => target instanceof HTMLImageElement && begin(), {
      capture: true,
      signal: waiting.signal,
    })
  return cancel
}
