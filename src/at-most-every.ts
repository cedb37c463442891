/** Asks at most once in `ms` milliseconds. Calls in between, or while a question is under way, get the last answer, also
 *  when that is a rejection. For expensive questions that anybody may ask at any rate. */
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
