/** Lets at most `width` pieces of work run at once; the others wait their turn. */
export function createGate(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []

  return async (work) => {
    if (running < width) running++
    else await new Promise<void>((enter) => waiting.push(enter))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The next in the queue gets the place directly, so no later call comes before it.
      if (next) next()
      else running--
    }
  }
}
