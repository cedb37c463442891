import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { Trx } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { makeOwnerKey } from './access.ts'
import { deleteAlbum, wasNameErased } from './erasure-queries.ts'
import { spendInvitation } from './invitations.ts'
import { encryptPassword, makePassword } from './password.ts'
import { insertAlbum } from './queries.ts'
import { hashesOfSlug, slugCandidate } from './slug.ts'

/** Each attempt after the first has a new random suffix, so only a fault uses them all up. */
const SLUG_ATTEMPTS = 20

/** A new, empty album with its own password. `albumName` makes the slug; `displayName` is what pages and letters show.
 *  @param invitation what `requireInvitation` gave; the album uses it up
 *  @returns the album and its owner key. Only the key's hash is stored, so nothing can show the key again. */
export async function createAlbum(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  input: { email: string; albumName: string; displayName?: string | undefined },
  by: Actor,
  invitation?: Buffer,
): Promise<{ album: Album; ownerKey: string }> {
  const owner = makeOwnerKey()
  const album = await db.transaction().execute(async (trx) => {
    if (invitation) await spendInvitation(trx, invitation)
    const inserted = await insertWithFreeSlug({ db: trx, keyring }, input, owner.hash)
    await recordEvent({ db: trx, keyring }, { event: 'album created', album: inserted, by })
    return inserted
  })
  return { album, ownerKey: owner.key }
}

async function insertWithFreeSlug(
  { db, keyring }: { db: Trx; keyring: Keyring },
  input: { email: string; albumName: string; displayName?: string | undefined },
  ownerKeyHash: Buffer,
): Promise<Album> {
  for (let attempt = 0; attempt < SLUG_ATTEMPTS; attempt++) {
    const slug = slugCandidate(input.albumName, attempt)
    const album = await insertAlbum(db, {
      owner_key_hash: ownerKeyHash,
      slug,
      display_name: input.displayName ?? input.albumName,
      email: input.email,
      password_cipher: encryptPassword(keyring, makePassword(), slug),
    })
    if (!album) continue
    // Asked after the name was taken: an erasure that was under way has then ended.
    if (!(await wasNameErased(db, hashesOfSlug(keyring, slug)))) return album
    await deleteAlbum(db, album.id)
  }
  throw new Error(`No free slug for an album after ${SLUG_ATTEMPTS} attempts`)
}
