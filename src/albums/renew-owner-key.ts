import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { Album } from '../database/schema.ts'
import { endLetters } from '../letters/queries.ts'
import { tellOptOutsAgain } from '../letters/request.ts'
import { makeOwnerKey, withOwnedAlbum } from './access.ts'
import { replaceAddress } from './owner-address.ts'
import { changeAlbum } from './queries.ts'

/** Gives an album a new owner key. The former key, all owner sessions and their results end at once, and so do the links of
 *  former letters that act for the owner, and a change of the address that waits. Another letter tells of the opt-outs.
 *  @param email the address that letters go to from now on, for an album that gets another owner. It is not confirmed.
 *  @returns the key, which nothing can show again, and the album with its new version */
export async function renewOwnerKey(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring'>,
  album: Album,
  by: Actor,
  { email = album.email }: { email?: string | undefined } = {},
): Promise<{ ownerKey: string; album: Album }> {
  const { db, keyring } = deps
  const { key, hash } = makeOwnerKey()
  const renewed = await withOwnedAlbum(db, album, async (trx, locked) => {
    const changed = await changeAlbum(trx, album.id, {
      owner_key_hash: hash,
      owner_key_version: locked.owner_key_version + 1,
    })
    await endLetters(trx, album.id, 'confirm-address')
    await recordEvent({ db: trx, keyring }, { event: 'owner key changed', album, by })
    const isSame = email.toLowerCase() === changed.email.toLowerCase()
    if (!isSame) await endLetters(trx, album.id, 'former-address')
    const renewed = isSame
      ? changed
      : await replaceAddress(trx, deps, changed, { email, isConfirmed: false, by })
    await tellOptOutsAgain(trx, deps, renewed)
    return renewed
  })
  return { ownerKey: key, album: renewed }
}
