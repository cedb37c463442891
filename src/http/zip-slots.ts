import { AppError } from '../errors.ts'
import type { MinimumRate } from './selfie-form.ts'

/** What the zips that a process sends may take. */
export interface ZipLimits {
  /** Downloads at once. */
  atOnce: number
  /** How fast a visitor has to take one. In each `graceMs` ms it has to be so fast on average. */
  rate: MinimumRate
}

/** A zip that is being sent. */
export interface ZipDownload {
  /** The network that it goes to. */
  network: string
  /** The session that asks for it. All that have none are one caller together. */
  session: string | undefined
  /** The zip's address. */
  address: string
  /** Ends it early. The visitor may continue it later. */
  stop(): void
}

export interface ZipSlots {
  /** Takes a slot. When all are taken, the network that has the most gives one back, so that one network has them all only
   *  while no other wants one. Within a network the same holds for the sessions, and within a session for the zips, because
   *  anybody can have as many addresses of zips as they like. The download that ends is the youngest, which loses the least.
   *  @returns gives the slot back
   *  @throws AppError SERVICE_UNAVAILABLE when nobody has more than the caller */
  take(download: ZipDownload): () => void
  taken(): number
}

const RETRY_AFTER_SECONDS = 10

/** Who has the slots: each network, within it each session, within that each zip. */
const OWNERS: ((download: ZipDownload) => string | undefined)[] = [
  ({ network }) => network,
  ({ session }) => session,
  ({ address }) => address,
]

const largest = (groups: Iterable<ZipDownload[]>): ZipDownload[] =>
  [...groups].reduce((one, other) => (other.length >= one.length ? other : one), [])

/** Of the owner at each level that has most, the youngest download.
 *  @param running the oldest comes first */
function whoGivesWay(running: ZipDownload[], caller: ZipDownload): ZipDownload {
  let among = running
  for (const [level, owner] of OWNERS.entries()) {
    const owners = Map.groupBy(among, owner)
    const own = owners.get(owner(caller)) ?? []
    const most = largest(owners.values())
    if (most.length > own.length + 1)
      return OWNERS.slice(level + 1)
        .reduce((downloads, inner) => largest(Map.groupBy(downloads, inner).values()), most)
        .at(-1)!
    among = own
  }
  throw manyDownloads()
}

export function createZipSlots(atOnce: number): ZipSlots {
  /** The oldest comes first. */
  const running = new Set<ZipDownload>()
  return {
    take(download) {
      if (running.size >= atOnce) {
        const other = whoGivesWay([...running], download)
        running.delete(other)
        other.stop()
      }
      running.add(download)
      return () => void running.delete(download)
    },
    taken: () => running.size,
  }
}

export const manyDownloads = () =>
  new AppError('SERVICE_UNAVAILABLE', 'Many people are downloading. Please try again in a moment.', {
    retryAfter: RETRY_AFTER_SECONDS,
    isBusy: true,
  })
