/** Asks at most once in so many ms; whoever calls in between, or while it is being asked, gets the last answer,
 *  be it a rejection. For what anybody may ask as often as they like. */
export function atMostEvery<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined
  let isUnderWay = false
  let expires = 0
  return () => {
    if (last && (isUnderWay || performance.now() < expires)) return last
    isUnderWay = true
    last = ask().finally(() => {
      isUnderWay = false
      expires = performance.now() + ms
    })
    return last
  }
}
