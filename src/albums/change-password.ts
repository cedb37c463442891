import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { withOwnedAlbum } from './access.ts'
import { encryptPassword, makePassword } from './password.ts'
import { setPassword } from './queries.ts'

/** Gives an album a new password, and returns it. Guests' sessions, photo links and results end at once.
 *  @param album as it was when the caller's right was checked
 *  @throws AppError NOT_FOUND when the album has been erased, CONFLICT when its owner key has changed */
export async function changePassword(
  { db, keyring }: { db: Db; keyring: Keyring },
  album: Pick<Album, 'id' | 'slug' | 'owner_key_version'>,
  by: Actor,
): Promise<string> {
  const password = makePassword()
  await withOwnedAlbum(db, album, async (trx) => {
    await setPassword(trx, album.id, encryptPassword(keyring, password, album.slug))
    await recordEvent({ db: trx, keyring }, { event: 'password changed', album, by })
  })
  return password
}
