/** What waits: its kind and whose it is. */
export interface Queued<Kind> {
  kind: Kind
  owner: string
}

/** Items that wait for a process. All of a kind come before the next kind. Within a kind the owners take turns, so that
 *  an owner with a thousand items does not delay one with a single item. */
export interface FairQueue<Kind, Item extends Queued<Kind>> {
  add(item: Item): void
  /** Puts an item before all others of its kind. */
  addFirst(item: Item): void
  /** Whether there is an item of an owner who may go on. */
  hasFor(mayGoOn: (owner: string) => boolean): boolean
  /** The next item of an owner who may go on. */
  take(mayGoOn: (owner: string) => boolean): Item | undefined
  /** @returns false when the item is not in the queue */
  remove(item: Item): boolean
  takeAll(): Item[]
  size(): number
}

/** @param kinds the first comes first */
export function createFairQueue<Kind extends string, Item extends Queued<Kind>>(
  kinds: readonly Kind[],
): FairQueue<Kind, Item> {
  /** For each kind the items by owner. The owner whose turn it is comes first. */
  const lanes = new Map(kinds.map((kind) => [kind, new Map<string, Item[]>()]))

  function nextOwner(mayGoOn: (owner: string) => boolean): [Map<string, Item[]>, string] | undefined {
    for (const lane of lanes.values())
      for (const owner of lane.keys()) if (mayGoOn(owner)) return [lane, owner]
    return undefined
  }

  return {
    add(item) {
      const lane = lanes.get(item.kind)!
      const items = lane.get(item.owner)
      if (items) items.push(item)
      else lane.set(item.owner, [item])
    },

    addFirst(item) {
      const lane = lanes.get(item.kind)!
      const others = [...lane].filter(([owner]) => owner !== item.owner)
      const own = [item, ...(lane.get(item.owner) ?? [])]
      lanes.set(item.kind, new Map([[item.owner, own], ...others]))
    },

    hasFor: (mayGoOn) => nextOwner(mayGoOn) !== undefined,

    take(mayGoOn) {
      const next = nextOwner(mayGoOn)
      if (!next) return undefined
      const [lane, owner] = next
      const items = lane.get(owner)!
      const item = items.shift()
      lane.delete(owner)
      if (items.length > 0) lane.set(owner, items)
      return item
    },

    remove(item) {
      const lane = lanes.get(item.kind)!
      const items = lane.get(item.owner) ?? []
      const index = items.indexOf(item)
      if (index < 0) return false
      items.splice(index, 1)
      if (items.length === 0) lane.delete(item.owner)
      return true
    },

    takeAll() {
      const all = [...lanes.values()].flatMap((lane) => [...lane.values()].flat())
      for (const lane of lanes.values()) lane.clear()
      return all
    },

    size() {
      let size = 0
      for (const lane of lanes.values()) for (const items of lane.values()) size += items.length
      return size
    },
  }
}
