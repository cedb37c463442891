import { countUp, readCounts } from '../albums/limit-queries.ts'
import type { Trx } from '../database/client.ts'
import type { Album, OptOut } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import { countWaiting, uncountFaces } from './opt-out-queries.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** How many faces may be hidden within an hour without asking the owner: a share of an album's faces, or a number, whichever
 *  is more. One network gets less than the album allows, so that no caller uses up what the other guests need. Callers are
 *  counted by their network, because a new session costs nothing. */
const AT_ONCE = {
  album: { share: 0.05, least: 30 },
  network: { share: 0.03, least: 20 },
}

/** When a guest undoes an opt-out, its faces are no longer counted: so often in an hour for one network. More would only
 *  fill the database. */
const UNDONE_OF_NETWORK = 20

/** Only so many opt-outs of an album wait for the owner, so that they cannot fill the database; and only a part of them are of
 *  one network, which gets no more within an hour either, so that it does not take the places of all others. */
const MOST_WAITING = { album: 200, network: 100 }

/** When the places of an album are taken, a network from which nobody waits still gets one, up to so many. So two networks
 *  cannot take the right of all others. */
const MOST_WAITING_WITH_FIRST = 1_000

/** Each face in a later photo is compared with all people who are kept out, so there are at most so many in an album. */
export const MOST_KEPT_OUT = 500

/** So many of them may be of one session within a day, so that it does not take the places of those behind its network. When
 *  the network has many, a session gets one. */
const OF_SESSION = { usually: 2, crowded: 1, crowdedFrom: 20 }

export const tooManyWaiting = () =>
  new AppError(
    'TOO_MANY_REQUESTS',
    'Too many guests of this album wait for the organiser. Please ask the organiser, and try again later.',
    { retryAfter: HOUR_SECONDS },
  )

interface Deps {
  trx: Trx
  keyring: Keyring
}

/** The key under which the opt-outs of an album are counted. */
const hashOfAlbum = (keyring: Keyring, albumId: string) =>
  keyring.mac('address-hash', `opt-outs of ${albumId}`)

/** The key under which those of one network are counted. */
export const hashOfNetwork = (keyring: Keyring, albumId: string, network: string) =>
  keyring.mac('address-hash', `opt-outs of ${albumId} from ${network}`)

/** Whether so many faces may be hidden now; then it counts them. Otherwise the owner has to be asked.
 *  @param networkHash of the caller: see hashOfNetwork
 *  @param album which is locked, so simultaneous opt-outs cannot all pass */
export async function mayHideAtOnce(
  { trx, keyring }: Deps,
  album: Pick<Album, 'id' | 'faces_found'>,
  networkHash: Buffer,
  faces: number,
): Promise<boolean> {
  const keys = [hashOfAlbum(keyring, album.id), networkHash]
  const allowed = [AT_ONCE.album, AT_ONCE.network].map(({ share, least }) =>
    Math.max(least, Math.floor(share * album.faces_found)),
  )
  const counted = await readCounts(trx, keys)
  if (counted.some(({ count }, index) => count + faces > allowed[index]!)) return false
  await countUp(trx, keys, HOUR_SECONDS, faces)
  return true
}

/** Takes back what mayHideAtOnce has counted for an opt-out that its guest undoes within the hour. Otherwise who hides and
 *  undoes again and again would use up what the other guests need. */
export async function takeBackCount(
  { trx, keyring }: Deps,
  { id, album_id, network_hash }: Pick<OptOut, 'id' | 'album_id' | 'network_hash'>,
): Promise<void> {
  if (!network_hash) return
  const undone = keyring.mac('address-hash', `undone: ${network_hash.toString('hex')}`)
  const [counted] = await countUp(trx, [undone], HOUR_SECONDS)
  if (counted!.count > UNDONE_OF_NETWORK) return
  await uncountFaces(trx, id, [hashOfAlbum(keyring, album_id), network_hash], HOUR_SECONDS)
}

/** Counts one more opt-out that waits for the owner.
 *  @param albumId of an album that is locked
 *  @param caller a session, or a network without one
 *  @throws AppError TOO_MANY_REQUESTS */
export async function takePlaceToWait(
  { trx, keyring }: Deps,
  albumId: string,
  networkHash: Buffer,
  caller: string,
): Promise<void> {
  const { inAll, ofNetwork } = await countWaiting(trx, albumId, networkHash)
  const ofAlbum = ofNetwork === 0 ? MOST_WAITING_WITH_FIRST : MOST_WAITING.album
  if (inAll >= ofAlbum || ofNetwork >= MOST_WAITING.network) throw tooManyWaiting()
  // Also counts those that were undone, which wait no longer.
  const inHour = [keyring.mac('address-hash', `waiting within an hour: ${networkHash.toString('hex')}`)]
  const [ofNetworkNow] = await countUp(trx, inHour, HOUR_SECONDS)
  if (ofNetworkNow!.count > MOST_WAITING.network) throw tooManyWaiting()
  const allowed = ofNetwork < OF_SESSION.crowdedFrom ? OF_SESSION.usually : OF_SESSION.crowded
  const ofSession = [keyring.mac('address-hash', `waiting opt-outs of ${albumId} by ${caller}`)]
  const [bySession] = await countUp(trx, ofSession, DAY_SECONDS)
  if (bySession!.count > allowed) throw tooManyWaiting()
}
