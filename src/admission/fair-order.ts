/** A selfie in the queue, or a caller who was sent away. */
export interface Queued {
  /** The caller's network address. */
  network: string
  /** A session. Without one, all callers of a network are one. */
  caller: string
  /** Since when the caller has been trying, in ms. Who is sent away and comes again keeps the time of the first try. */
  since: number
}

/** Whose turn is next. Networks take turns, however many callers they have. Within a network the caller comes first who
 *  has tried for the longest time. A caller has one selfie in work at a time.
 *  @param perNetwork how many of one network may be in work
 *  @param lastTurns when each network had its last turn, in ms */
export function nextInTurn<One extends Queued>(
  waiting: One[],
  working: One[],
  { perNetwork, lastTurns }: { perNetwork: number; lastTurns: Map<string, number> },
): One | undefined {
  const inWork = sumsOf(working, () => 1)
  const worksFor = (network: string) => inWork.get(network) ?? 0
  const lastTurn = (network: string) => lastTurns.get(network) ?? 0
  const callers = new Set(working.map(({ caller }) => caller))
  const [next] = waiting
    .filter(({ network, caller }) => !callers.has(caller) && worksFor(network) < perNetwork)
    .toSorted(
      (a, b) =>
        worksFor(a.network) - worksFor(b.network) ||
        lastTurn(a.network) - lastTurn(b.network) ||
        a.since - b.since,
    )
  return next
}

/** What one selfie has of the room while it arrives. */
export interface Occupied<One> {
  /** How much of the room one takes. */
  sizeOf(one: One): number
  /** It has been arriving for longer than most need. */
  isLate(one: One): boolean
  /** It is late, and comes more slowly than a form has to. */
  isSlow(one: One): boolean
}

/** Nobody is asked to give way for having so many bytes, however many others there are: a usual selfie can also arrive on
 *  a slow line while a hall is full. */
const USUAL_BYTES = 4 * 1024 * 1024

/** Adds to those who go for a newcomer until it has room beside all others.
 *  @param movable those of all who may have to go
 *  @returns false when the newcomer finds no room */
export function makeRoom<One extends Queued>(
  newcomer: One,
  { most, all, movable, going }: { most: number; all: One[]; movable: One[]; going: Set<One> },
  room: Occupied<One>,
): boolean {
  const staying = (some: One[]) => some.filter((one) => !going.has(one))
  const size = () => staying(all).reduce((sum, one) => sum + room.sizeOf(one), room.sizeOf(newcomer))
  while (size() > most) {
    const one = whoGivesWay(newcomer, staying(movable), room)
    if (!one) return false
    going.add(one)
  }
  return true
}

/** Who has to go so that a newcomer finds room: one of the network that has most, unless that network would then have
 *  less than the newcomer's; or else one of the newcomer's own network.
 *  @returns undefined when the newcomer has to come again */
function whoGivesWay<One extends Queued>(newcomer: One, others: One[], room: Occupied<One>): One | undefined {
  const sums = sumsOf(others, room.sizeOf)
  const [most] = [...sums].toSorted(([, a], [, b]) => b - a)
  if (!most) return undefined
  const [network, sum] = most
  const own = (sums.get(newcomer.network) ?? 0) + room.sizeOf(newcomer)
  if (network !== newcomer.network) {
    const ofNetwork = others.filter((one) => one.network === network)
    const one = largestHolder(ofNetwork, room.sizeOf) ?? slowest(ofNetwork, room) ?? lastOf(others, network)!
    if (room.isLate(one) ? sum > own : sum - room.sizeOf(one) >= own) return one
  }
  const neighbours = others.filter((one) => one.network === newcomer.network)
  return whoGivesWayToNeighbour(newcomer, neighbours, room)
}

/** First one of the caller who has most, if that is more than the newcomer's caller would have. Then a slow one. Then one
 *  who came later than the newcomer; but who wants more than others cannot have them sent away by having tried for long. */
function whoGivesWayToNeighbour<One extends Queued>(
  newcomer: One,
  neighbours: One[],
  room: Occupied<One>,
): One | undefined {
  const all = [...neighbours, newcomer]
  const largest = largestHolder(all, room.sizeOf)
  if (largest && largest.caller !== newcomer.caller) return largest
  const slow = slowest(neighbours, room)
  if (slow || largest) return slow
  const later = lastOf(neighbours, newcomer.network)
  return later && later.since > newcomer.since ? later : undefined
}

/** The last selfie of the caller who has most, if that is more than an even share of what all have. */
function largestHolder<One extends Queued>(all: One[], sizeOf: (one: One) => number): One | undefined {
  const sums = sumsOf(all, sizeOf, ({ caller }) => caller)
  const share = [...sums.values()].reduce((sum, size) => sum + size, 0) / sums.size
  const [most] = [...sums].toSorted(([, a], [, b]) => b - a)
  if (!most || most[1] <= Math.max(share, USUAL_BYTES)) return undefined
  const ofCaller = all.filter(({ caller }) => caller === most[0])
  return ofCaller.toSorted((a, b) => a.since - b.since).at(-1)
}

/** Of those that come too slowly the largest; of equal ones the last. */
function slowest<One extends Queued>(all: One[], { isSlow, sizeOf }: Occupied<One>): One | undefined {
  return all
    .filter(isSlow)
    .toSorted((a, b) => sizeOf(a) - sizeOf(b) || a.since - b.since)
    .at(-1)
}

/** How many have their turn before a caller: those of its network who came before, and as many of each other network. */
export function countAhead(one: Queued, others: Queued[]): number {
  const counts = sumsOf(others, () => 1)
  const own = others.filter(({ network, since }) => network === one.network && since <= one.since).length
  counts.delete(one.network)
  return [...counts.values()].reduce((sum, count) => sum + Math.min(count, own + 1), own)
}

export function lastOf<One extends Queued>(all: One[], network: string): One | undefined {
  const ofNetwork = all.filter((one) => one.network === network)
  return ofNetwork.toSorted((a, b) => a.since - b.since).at(-1)
}

/** The sizes of each network together, or of each of other groups. */
export function sumsOf<One extends Queued>(
  all: One[],
  sizeOf: (one: One) => number,
  groupOf = ({ network }: One) => network,
): Map<string, number> {
  const sums = new Map<string, number>()
  for (const one of all) sums.set(groupOf(one), (sums.get(groupOf(one)) ?? 0) + sizeOf(one))
  return sums
}
