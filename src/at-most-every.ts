/** Asks at most once in `ms` milliseconds. Calls in between, or while a question is under way, get the last answer, also
 *  when that is a rejection. For expensive questions that anybody may cause at any rate. */
export function atMostEvery<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined
  let isRunning = false
  let expires = 0
  return () => {
    if (last && (isRunning || performance.now() < expires)) return last
    isRunning = true
    last = ask().finally(() => {
      isRunning = false
      expires = performance.now() + ms
    })
    return last
  }
}

/** Passes at most one call in `ms` milliseconds on, with the number of calls before it that were not. */
export function oneIn<T>(
  ms: number,
  pass: (value: T, others: number) => void,
  now = () => performance.now(),
): (value: T) => void {
  let next = Number.NEGATIVE_INFINITY
  let others = 0
  return (value) => {
    if (now() < next) return void others++
    next = now() + ms
    pass(value, others)
    others = 0
  }
}
