import { AppError } from '../errors.ts'

/** How long an upload waits for others to end, in ms. */
const WAIT_MS = 10_000
/** Ms between two looks at who could give way to an upload that waits. */
const LOOK_EVERY_MS = 1_000

/** Who holds bytes. */
export interface Upload {
  album: string
  /** The caller's network. */
  address: string
  /** Whether an upload that waits for room has to wait, and does not read what its client sends. */
  isWaiting: boolean
  /** Whether its client hardly sends anything at the moment. */
  isSlow(): boolean
  /** Ends it. Undefined when all of it has arrived. */
  giveWay: (() => void) | undefined
}

/** The bytes of all unfinished uploads of this process. */
export interface StagingBudget {
  /** Takes bytes for an upload. Its album, and its network, get half of all bytes at most. While too many are in use,
   *  it waits some seconds. Uploads that are slow give way to it at once. After half the time, the network that holds
   *  most gives way with its largest upload, if it holds more than the one that waits would. Within a network the
   *  same holds for its albums.
   *  @returns undefined when the bytes are available at once
   *  @throws AppError SERVICE_UNAVAILABLE */
  take(bytes: number, upload: Upload): Promise<void> | undefined
  giveBack(bytes: number, upload: Upload): void
}

/** @param maximum bytes in all
 *  @param waitMs only tests set it */
export function createStagingBudget(maximum: number, waitMs = WAIT_MS): StagingBudget {
  const share = maximum / 2
  const held = new Map<Upload, number>()
  const ofAlbums = new Map<string, number>()
  const ofAddresses = new Map<string, number>()
  const leaving = new WeakSet<Upload>()
  const waiting = new Set<() => boolean>()
  let inUse = 0

  const inAlbum = ({ album }: Upload) => ofAlbums.get(album) ?? 0
  const atAddress = ({ address }: Upload) => ofAddresses.get(address) ?? 0

  function addTo(bytes: number, upload: Upload): void {
    inUse += bytes
    add(held, upload, bytes)
    add(ofAlbums, upload.album, bytes)
    add(ofAddresses, upload.address, bytes)
  }

  function tryToTake(bytes: number, upload: Upload): boolean {
    const fits =
      inUse + bytes <= maximum && [inAlbum(upload), atAddress(upload)].every((own) => own + bytes <= share)
    if (fits) addTo(bytes, upload)
    return fits
  }

  /** Lets one upload give way. Its bytes are given back a little later. */
  function makeRoom(bytes: number, asker: Upload, isPressing: boolean): void {
    const { others, weight } = inTheWay(bytes, asker)
    const able = others.filter((upload) => upload !== asker && upload.giveWay)
    if (able.some((upload) => leaving.has(upload))) return
    const slow = able.filter((upload) => upload.isSlow())
    const greater = isPressing ? able.filter((upload) => weight(upload) > weight(asker) + bytes) : []
    const [first] = (slow.length > 0 ? slow : greater).toSorted(
      (a, b) => weight(b) - weight(a) || held.get(b)! - held.get(a)!,
    )
    if (!first) return
    leaving.add(first)
    first.giveWay!()
  }

  /** The uploads that have the bytes which one needs, and what each weighs: the bytes of its group. The fast uploads of one
   *  album wait for each other. */
  function inTheWay(bytes: number, asker: Upload): { others: Upload[]; weight: (upload: Upload) => number } {
    const all = [...held.keys()]
    if (inAlbum(asker) + bytes > share)
      return { others: all.filter(({ album }) => album === asker.album), weight: inAlbum }
    if (atAddress(asker) + bytes > share)
      return { others: all.filter(({ address }) => address === asker.address), weight: inAlbum }
    return { others: all, weight: atAddress }
  }

  return {
    take(bytes, upload) {
      if (tryToTake(bytes, upload)) return undefined
      return new Promise((resolve, reject) => {
        const since = performance.now()
        const end = () => {
          upload.isWaiting = false
          waiting.delete(attempt)
          clearTimeout(timer)
          clearInterval(looks)
        }
        const attempt = () => {
          if (!tryToTake(bytes, upload)) return false
          end()
          resolve()
          return true
        }
        const look = () => {
          // Nobody gives way to an upload whose client has gone.
          if (upload.giveWay) makeRoom(bytes, upload, performance.now() - since >= waitMs / 2)
        }
        const looks = setInterval(look, LOOK_EVERY_MS)
        const timer = setTimeout(() => {
          end()
          reject(tooManyUploads())
        }, waitMs)
        upload.isWaiting = true
        waiting.add(attempt)
        look()
      })
    },
    giveBack(bytes, upload) {
      addTo(-bytes, upload)
      for (const attempt of waiting) attempt()
    },
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, bytes: number): void {
  const sum = (counts.get(key) ?? 0) + bytes
  if (sum > 0) counts.set(key, sum)
  else counts.delete(key)
}

export const tooManyUploads = () =>
  new AppError('SERVICE_UNAVAILABLE', 'Too many photos are being uploaded at the moment', {
    retryAfter: 10,
    isBusy: true,
  })
