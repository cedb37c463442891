import type { Db, Trx } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { addressHashes, guestAddressHashes, hashAsker, hashMailbox, ownerAddressHashes } from './addresses.ts'
import type { ClaimedLetter, Kind, Limits } from './kinds.ts'
import { countedLetters, isRefusedAddress, secondsSinceLetter } from './queries.ts'

const DAY_SECONDS = 24 * 3600

/** Whether no letters may go to an address: a mail server has refused it, or its reader has said "This was not me" about this
 *  album. The owner does not learn it, because the reader may not know them. The album's page shows its owner the link and the
 *  password anyway. */
export async function isUnwanted(
  db: Db | Trx,
  keyring: Keyring,
  email: string,
  about?: { albumId: string; reader: Kind['reader'] },
): Promise<boolean> {
  const hashes = about?.reader === 'owner' ? ownerAddressHashes : guestAddressHashes
  const ofAlbum = about ? hashes(keyring, about.albumId, email) : []
  return await isRefusedAddress(db, [...addressHashes(keyring, email), ...ofAlbum])
}

/** Whether the address of an album gets no letters about it. */
export const hasEndedLetters = (db: Db | Trx, keyring: Keyring, { id, email }: Pick<Album, 'id' | 'email'>) =>
  isRefusedAddress(db, ownerAddressHashes(keyring, id, email))

/** How long a letter to an address that is not confirmed has to wait. The transaction that sends it counts it, so that the limits
 *  hold for all processes together, and for a process that dies while it sends.
 *  @param asker the network that asks for it: see `callerNetwork`
 *  @returns 0, or the seconds until the limits allow it */
export async function secondsUntilAllowed(
  trx: Trx,
  keyring: Keyring,
  limits: Limits,
  { albumId, email, asker }: { albumId: string | null; email: string; asker?: string | undefined },
): Promise<number> {
  const { kinds, aDay, ofAlbum = Number.POSITIVE_INFINITY, ofAsker = Number.POSITIVE_INFINITY } = limits
  const letters = await countedLetters(trx, { kinds, mailboxHash: hashMailbox(keyring, email), albumId })
  const toMailbox = letters.filter(({ isToMailbox }) => isToMailbox)
  const ofThisAlbum = letters.filter(({ isOfAlbum }) => isOfAlbum)
  const askerHash = asker === undefined ? undefined : hashAsker(keyring, asker)
  const ofThisAsker = toMailbox.filter(({ asker_hash }) => askerHash && asker_hash?.equals(askerHash))
  return Math.max(
    untilFewer(toMailbox, aDay),
    untilFewer(ofThisAlbum, ofAlbum),
    untilFewer(ofThisAsker, ofAsker),
  )
}

/** @param letters the newest first
 *  @returns 0, or the seconds until there are fewer than `limit` within a day */
function untilFewer(letters: { age: number }[], limit: number): number {
  const oldest = letters[limit - 1]
  return oldest === undefined ? 0 : Math.max(1, Math.ceil(DAY_SECONDS - oldest.age))
}

/** How long a letter that a job wants to send has to wait. Those of no album were counted when they were requested.
 *  @returns the seconds, and whether the letter then counts */
export async function waitOf(
  trx: Trx,
  keyring: Keyring,
  { letter, album, to }: ClaimedLetter,
  { limits, pause, isToAlbum }: Kind,
): Promise<{ seconds: number; counts: boolean }> {
  const isConfirmed = album.address_confirmed_at !== null
  if (pause && !letter.claimed_at) {
    const since = await secondsSinceLetter(trx, letter)
    const seconds = (isConfirmed ? pause.confirmed : pause.unconfirmed) - (since ?? Number.POSITIVE_INFINITY)
    if (seconds > 0) return { seconds: Math.ceil(seconds), counts: false }
  }
  if (!limits || letter.counted_at || (isToAlbum && isConfirmed)) return { seconds: 0, counts: false }
  const seconds = await secondsUntilAllowed(trx, keyring, limits, { albumId: album.id, email: to })
  return { seconds, counts: true }
}
