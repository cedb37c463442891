import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises'

/** Ms from the start of a query to that of the next equal one. Most of what a poll costs is its query, and a page that
 *  polls every two seconds does not notice this. A read that comes after a longer time waits for nothing. */
const SPACING_MS = 5

interface Queue<Answer> {
  /** Resolves when the next query may start. */
  opens: Promise<unknown>
  /** The answer of the next query; undefined while nobody waits for it. */
  next?: Promise<Answer> | undefined
}

/** Makes equal reads share one query. Reads share when their requests arrived together, or when they begin while the
 *  next query still has to wait (SPACING_MS). A query starts after all its readers have asked. So no reader gets an
 *  answer from before its own request, and no answer is kept.
 *  @param read the readers of one `source` share its answer, so they must not change it
 *  @param keyOf equal texts say that the reads are equal */
export function shareReads<Source extends object, Input, Answer>(
  read: (source: Source, input: Input) => Promise<Answer>,
  keyOf: (input: Input) => string,
): (source: Source, input: Input) => Promise<Answer> {
  const queuesOf = new WeakMap<Source, Map<string, Queue<Answer>>>()

  async function readInTurn(queue: Queue<Answer>, source: Source, input: Input): Promise<Answer> {
    await queue.opens
    queue.next = undefined
    queue.opens = pause(SPACING_MS).then(() => {
      if (!queue.next) queuesOf.get(source)!.delete(keyOf(input))
    })
    return await read(source, input)
  }

  return (source, input) => {
    const queues = queuesOf.get(source) ?? new Map<string, Queue<Answer>>()
    queuesOf.set(source, queues)
    const key = keyOf(input)
    const queue = queues.get(key) ?? { opens: endOfTurn() }
    queues.set(key, queue)
    queue.next ??= readInTurn(queue, source, input)
    return queue.next
  }
}

/** Makes reads of different keys share one query when they begin together: see `shareReads`.
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
