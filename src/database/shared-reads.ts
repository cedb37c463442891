import { setImmediate as endOfTurn } from 'node:timers/promises'

/** Makes equal reads share one query when they begin in the same turn of the event loop, that is while the requests that
 *  have arrived meanwhile are handled. The query starts after that turn, so no reader gets an answer from before its own
 *  request, and nothing is kept. The busier the process, the more requests arrive in one turn.
 *  @param read the readers of one `source` share its answer, so they must not change it
 *  @param keyOf equal texts say that the reads are equal */
export function shareReads<Source extends object, Input, Answer>(
  read: (source: Source, input: Input) => Promise<Answer>,
  keyOf: (input: Input) => string,
): (source: Source, input: Input) => Promise<Answer> {
  const readsOf = new WeakMap<Source, Map<string, Promise<Answer>>>()

  async function readAfterTurn(source: Source, input: Input, reads: Map<string, unknown>): Promise<Answer> {
    await endOfTurn()
    reads.delete(keyOf(input))
    return await read(source, input)
  }

  return (source, input) => {
    const reads = readsOf.get(source) ?? new Map<string, Promise<Answer>>()
    readsOf.set(source, reads)
    const key = keyOf(input)
    const shared = reads.get(key) ?? readAfterTurn(source, input, reads)
    reads.set(key, shared)
    return shared
  }
}

/** Makes reads of different keys share one query when they begin in the same turn of the event loop: see `shareReads`.
 *  @param readAll gives what is found, by key */
export function shareLookups<Source extends object, Found>(
  readAll: (source: Source, keys: string[]) => Promise<Map<string, Found>>,
): (source: Source, key: string) => Promise<Found | undefined> {
  const keysOf = new WeakMap<Source, Set<string>>()
  const readKeys = shareReads(
    (source: Source) => {
      const keys = keysOf.get(source)!
      keysOf.delete(source)
      return readAll(source, [...keys])
    },
    () => '',
  )
  return async (source, key) => {
    keysOf.set(source, (keysOf.get(source) ?? new Set()).add(key))
    const found = await readKeys(source, undefined)
    return found.get(key)
  }
}
