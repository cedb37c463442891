import { createTurns } from '../processes/turns.ts'
import type { Db, Trx } from './client.ts'
import { databaseUnavailable } from './faults.ts'

/** Transactions of requests that change albums, at once. They wait for the album's row, so they leave most of the pool's
 *  connections to others. The row allows one of an album. One network has a place less than there are. */
const inTurn = createTurns({ places: 4, perOwner: 3, perPart: 1 })
/** Ms that a request waits for its turn: as long as for a connection. */
const WAIT_MS = 10_000

export interface AlbumTurn {
  albumId: string
  /** The caller's network. Networks take turns, then their albums. Undefined in jobs and commands, which do not wait: only
   *  a few run at once. */
  network: string | undefined
  /** Only tests set it. */
  waitMs?: number
}

/** Runs a transaction that locks or changes an album's row. A request gets a connection when it is its turn, so that many
 *  changes of one album delay only each other.
 *  @throws AppError SERVICE_UNAVAILABLE when its turn does not come in time. Then nothing is changed */
export async function changeAlbum<T>(
  db: Db,
  { albumId, network, waitMs = WAIT_MS }: AlbumTurn,
  change: (trx: Trx) => Promise<T>,
): Promise<T> {
  const transaction = () => db.transaction().execute(change)
  if (network === undefined) return await transaction()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), waitMs)
  const run = async () => {
    // What has begun is also committed when it takes long, and nothing else can show a new key or receipt.
    clearTimeout(timer)
    return { result: await transaction() }
  }
  const done = await inTurn(network, late.signal, run, albumId)
  if (!done) throw databaseUnavailable()
  return done.result
}
