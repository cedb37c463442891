import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { makeOwnerKey, withOwnedAlbum } from './access.ts'
import { endAddressChanges, forgetFormerAddresses } from './address-change-queries.ts'
import { setLetterAddress } from './letter-queries.ts'
import { setOwnerKey } from './queries.ts'
import { tellOptOutsAgain } from './tell-again.ts'

/** Gives an album a new owner key. The former key, all owner sessions and their results end at once, and so do the links of
 *  former letters that act for the owner, and a change of the address that waits. Another letter tells of the opt-outs.
 *  @param album as it was when the caller's right was checked
 *  @param email the address that letters go to from now on, for an album that gets another owner. It is not confirmed.
 *  @returns the key, which nothing can show again, and the album with its new version
 *  @throws AppError NOT_FOUND when the album has been erased, CONFLICT when its owner key has changed */
export async function renewOwnerKey(
  { db, keyring, jobs }: { db: Db; keyring: Keyring; jobs: JobSender },
  album: Album,
  by: Actor,
  { email = album.email }: { email?: string | undefined } = {},
): Promise<{ ownerKey: string; album: Album }> {
  const { key, hash } = makeOwnerKey()
  const renewed = await withOwnedAlbum(db, album, async (trx, locked) => {
    const changed = await setOwnerKey(trx, locked, hash)
    await endAddressChanges(trx, album.id)
    await tellOptOutsAgain(jobs, trx, album.id)
    await recordEvent({ db: trx, keyring }, { event: 'owner key changed', album, by })
    if (email.toLowerCase() === changed.email.toLowerCase()) return changed
    await forgetFormerAddresses(trx, album.id)
    await setLetterAddress(trx, album.id, { email, isConfirmed: false })
    await recordEvent({ db: trx, keyring }, { event: 'letter address changed', album, by })
    return { ...changed, email }
  })
  return { ownerKey: key, album: renewed }
}
