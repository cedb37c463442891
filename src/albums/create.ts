import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { makeOwnerKey } from './access.ts'
import { encryptPassword, makePassword } from './password.ts'
import { insertAlbum } from './queries.ts'
import { slugCandidate } from './slug.ts'

/** Each attempt after the first has a new random suffix, so only a fault uses them all up. */
const SLUG_ATTEMPTS = 20

/** A new, empty album with its own password. `albumName` makes the slug; `displayName` is what pages and letters show.
 *  @returns the album and its owner key. Only the key's hash is stored, so nothing can show the key again. */
export async function createAlbum(
  { db, keyring }: { db: Db; keyring: Keyring },
  input: { email: string; albumName: string; displayName?: string | undefined },
): Promise<{ album: Album; ownerKey: string }> {
  const owner = makeOwnerKey()
  for (let attempt = 0; attempt < SLUG_ATTEMPTS; attempt++) {
    const slug = slugCandidate(input.albumName, attempt)
    const album = await insertAlbum(db, {
      owner_key_hash: owner.hash,
      slug,
      display_name: input.displayName ?? input.albumName,
      email: input.email,
      password_cipher: encryptPassword(keyring, makePassword(), slug),
    })
    if (album) return { album, ownerKey: owner.key }
  }
  throw new Error(`No free slug for an album after ${SLUG_ATTEMPTS} attempts`)
}
