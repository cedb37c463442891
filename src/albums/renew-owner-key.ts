import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import { makeOwnerKey } from './access.ts'
import { setOwnerKey } from './queries.ts'

/** Gives an album a new owner key. The former key, all owner sessions and their results end at once.
 *  @param album as it was when the caller's right was checked. If its key has changed since, that right is gone.
 *  @returns the key, which nothing can show again, and the album with its new version
 *  @throws AppError CONFLICT when the key has changed since, or the album was erased. */
export async function renewOwnerKey(
  { db, keyring }: { db: Db; keyring: Keyring },
  album: Album,
  by: Actor,
): Promise<{ ownerKey: string; album: Album }> {
  const { key, hash } = makeOwnerKey()
  const renewed = await db.transaction().execute(async (trx) => {
    const changed = await setOwnerKey(trx, album, hash)
    if (!changed) throw ownerKeyChanged()
    await recordEvent({ db: trx, keyring }, { event: 'owner key changed', album, by })
    return changed
  })
  return { ownerKey: key, album: renewed }
}

export const ownerKeyChanged = () =>
  new AppError('CONFLICT', 'The owner key of this album was changed a moment ago. Use the new key.')
