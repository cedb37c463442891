import { setImmediate as endOfTurn } from 'node:timers/promises'

/** Keeps a transaction short. */
const MOST_IN_GROUP = 20

interface Waiting<Item> {
  item: Item
  resolve(): void
  reject(error: unknown): void
}

/** Makes writes of one key share a transaction when they begin in the same turn of the event loop, or while a former
 *  group is being written. No write waits for a timer: the first begins at once, and the busier the process, the larger
 *  the groups. Writes of different keys or sources run side by side.
 *  @param write writes the items, which have the same key, in one transaction: all of them or none
 *  @returns a function that writes one item, and returns when its group is committed. If a group fails, each of its items
 *    is written alone, so that only the items that cause the error get it */
export function groupWrites<Source extends object, Item>(
  write: (source: Source, items: Item[]) => Promise<void>,
  keyOf: (item: Item) => string,
): (source: Source, item: Item) => Promise<void> {
  /** For each source, the items that wait, by key. A key is present as long as its groups are being written. */
  const waitingOf = new WeakMap<Source, Map<string, Waiting<Item>[]>>()

  async function writeWaiting(
    source: Source,
    byKey: Map<string, Waiting<Item>[]>,
    key: string,
  ): Promise<void> {
    await endOfTurn()
    const waiting = byKey.get(key)!
    while (waiting.length > 0) await writeGroup(source, waiting.splice(0, MOST_IN_GROUP))
    byKey.delete(key)
  }

  async function writeGroup(source: Source, group: Waiting<Item>[]): Promise<void> {
    try {
      await write(
        source,
        group.map(({ item }) => item),
      )
      for (const { resolve } of group) resolve()
    } catch (error) {
      if (group.length === 1) group[0]!.reject(error)
      else await Promise.all(group.map((one) => writeGroup(source, [one])))
    }
  }

  return (source, item) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const byKey = waitingOf.get(source) ?? new Map<string, Waiting<Item>[]>()
    waitingOf.set(source, byKey)
    const key = keyOf(item)
    const waiting = byKey.get(key)
    if (waiting) waiting.push({ item, resolve, reject })
    else {
      byKey.set(key, [{ item, resolve, reject }])
      void writeWaiting(source, byKey, key)
    }
    return promise
  }
}
