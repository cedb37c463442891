import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { makeOwnerKey } from './access.ts'
import { encryptPassword, makePassword } from './password.ts'
import { insertAlbum } from './queries.ts'
import { slugCandidate } from './slug.ts'

/** One in a million albums of one name meets this; then the name alone is at fault. */
const SLUG_ATTEMPTS = 20

/** A new, empty album with a password of its own.
 *  @returns the album, and the owner key, which is told this once. */
export async function createAlbum(
  { db, keyring }: { db: Db; keyring: Keyring },
  input: { email: string; displayName: string },
): Promise<{ album: Album; ownerKey: string }> {
  const owner = makeOwnerKey()
  for (let attempt = 0; attempt < SLUG_ATTEMPTS; attempt++) {
    const slug = slugCandidate(input.displayName, attempt)
    const album = await insertAlbum(db, {
      owner_key_hash: owner.hash,
      slug,
      display_name: input.displayName,
      email: input.email,
      password_cipher: encryptPassword(keyring, makePassword(), slug),
    })
    if (album) return { album, ownerKey: owner.key }
  }
  throw new Error(`No free slug for an album after ${SLUG_ATTEMPTS} attempts`)
}
