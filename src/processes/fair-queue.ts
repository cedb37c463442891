/** What waits: its kind and whose it is. */
export interface Queued<Kind> {
  kind: Kind
  owner: string
  /** Which of the owner's things it is for, if the owner has several. They take turns, too. */
  part?: string | undefined
}

/** Items that wait for a process. All of a kind come before the next kind. Within a kind the owners take turns, so that
 *  an owner with a thousand items does not delay one with a single item. An owner who has used more time than others
 *  waits until they have used as much. Within an owner the parts take turns. */
export interface FairQueue<Kind, Item extends Queued<Kind>> {
  add(item: Item): void
  /** Gives an item the next turn of its kind. */
  addFirst(item: Item): void
  /** Whether there is an item that may go on. */
  hasFor(mayGoOn: MayGoOn<Kind>): boolean
  /** The next item that may go on. */
  take(mayGoOn: MayGoOn<Kind>): Item | undefined
  /** @returns false when the item is not in the queue */
  remove(item: Item): boolean
  takeAll(): Item[]
  size(): number
}

type MayGoOn<Kind> = (owner: string, kind: Kind, part: string) => boolean

/** The items of each owner by part. The owner, and the part, whose turn it is comes first. */
type Lane<Item> = Map<string, Map<string, Item[]>>

/** Ms. Up to this difference in the time that they have used, owners take turns. */
const ALIKE_MS = 500

/** @param kinds the first comes first
 *  @param usedBy ms that an owner has used for a kind. Without it, only turns count */
export function createFairQueue<Kind extends string, Item extends Queued<Kind>>(
  kinds: readonly Kind[],
  usedBy: (owner: string, kind: Kind) => number = () => 0,
): FairQueue<Kind, Item> {
  const lanes = new Map(kinds.map((kind): [Kind, Lane<Item>] => [kind, new Map()]))

  function next(mayGoOn: MayGoOn<Kind>): { lane: Lane<Item>; owner: string; part: string } | undefined {
    for (const [kind, lane] of lanes) {
      const able = [...lane].flatMap(([owner, parts]) => {
        const part = [...parts.keys()].find((part) => mayGoOn(owner, kind, part))
        return part === undefined ? [] : [{ lane, owner, part, used: usedBy(owner, kind) }]
      })
      const least = Math.min(...able.map(({ used }) => used))
      const found = able.find(({ used }) => used <= least + ALIKE_MS)
      if (found) return found
    }
    return undefined
  }

  const partOf = ({ part = '' }: Item) => part

  return {
    add(item) {
      const parts = getOrSet(lanes.get(item.kind)!, item.owner, new Map<string, Item[]>())
      getOrSet(parts, partOf(item), []).push(item)
    },

    addFirst(item) {
      const lane = lanes.get(item.kind)!
      const parts = lane.get(item.owner) ?? new Map<string, Item[]>()
      const own = [item, ...(parts.get(partOf(item)) ?? [])]
      lanes.set(item.kind, withFirst(lane, item.owner, withFirst(parts, partOf(item), own)))
    },

    hasFor: (mayGoOn) => next(mayGoOn) !== undefined,

    take(mayGoOn) {
      const found = next(mayGoOn)
      if (!found) return undefined
      const { lane, owner, part } = found
      const parts = lane.get(owner)!
      const items = parts.get(part)!
      const item = items.shift()
      parts.delete(part)
      if (items.length > 0) parts.set(part, items)
      lane.delete(owner)
      if (parts.size > 0) lane.set(owner, parts)
      return item
    },

    remove(item) {
      const lane = lanes.get(item.kind)!
      const parts = lane.get(item.owner)
      const items = parts?.get(partOf(item)) ?? []
      const index = items.indexOf(item)
      if (!parts || index < 0) return false
      items.splice(index, 1)
      if (items.length === 0) parts.delete(partOf(item))
      if (parts.size === 0) lane.delete(item.owner)
      return true
    },

    takeAll() {
      const all = [...lanes.values()].flatMap(itemsOf)
      for (const lane of lanes.values()) lane.clear()
      return all
    },

    size: () => [...lanes.values()].reduce((sum, lane) => sum + itemsOf(lane).length, 0),
  }
}

const itemsOf = <Item>(lane: Lane<Item>): Item[] =>
  [...lane.values()].flatMap((parts) => [...parts.values()].flat())

function getOrSet<Value>(map: Map<string, Value>, key: string, missing: Value): Value {
  const found = map.get(key) ?? missing
  map.set(key, found)
  return found
}

/** The same map with one entry before all others. */
function withFirst<Value>(map: Map<string, Value>, key: string, value: Value): Map<string, Value> {
  return new Map([[key, value], ...[...map].filter(([other]) => other !== key)])
}
