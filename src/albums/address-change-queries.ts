import { sql } from 'kysely'
import { ADDRESS_CONFIRM_HOURS } from '../contract/limits.ts'
import type { Db, Trx } from '../database/client.ts'
import type { AddressChange } from '../database/schema.ts'
import { secondsAgo } from '../database/times.ts'

const CONFIRM_SECONDS = ADDRESS_CONFIRM_HOURS * 3600

export function findAddressChange(db: Db | Trx, id: string): Promise<AddressChange | undefined> {
  return db.selectFrom('address_changes').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The change of an album's address that waits to be confirmed. There is one at most.
 *  @param id that it has to have */
export function findWaitingChange(
  db: Db | Trx,
  albumId: string,
  id?: string,
): Promise<(AddressChange & { new_address: Buffer }) | undefined> {
  return db
    .selectFrom('address_changes')
    .selectAll()
    .where('album_id', '=', albumId)
    .where('new_address', 'is not', null)
    .where('created_at', '>', secondsAgo(CONFIRM_SECONDS))
    .$if(id !== undefined, (query) => query.where('id', '=', id!))
    .$narrowType<{ new_address: Buffer }>()
    .executeTakeFirst()
}

export function insertAddressChange(
  trx: Trx,
  change: { id: string; album_id: string; new_address: Buffer },
): Promise<AddressChange> {
  return trx.insertInto('address_changes').values(change).returningAll().executeTakeFirstOrThrow()
}

/** Ends what is left of the former changes of an album: none of them waits, or is the last one that was confirmed. */
export async function endAddressChanges(trx: Trx, albumId: string): Promise<void> {
  await trx
    .updateTable('address_changes')
    .set({ new_address: null, confirmed_at: null })
    .where('album_id', '=', albumId)
    .execute()
}

/** Lets no former address of an album get a notice any more. */
export async function forgetFormerAddresses(trx: Trx, albumId: string): Promise<void> {
  await trx
    .updateTable('address_changes')
    .set({ former_address: null })
    .where('album_id', '=', albumId)
    .where('former_address', 'is not', null)
    .execute()
}

/** @param former the address that gets a notice; null: none does */
export async function markChangeConfirmed(trx: Trx, id: string, former: Buffer | null): Promise<void> {
  await trx
    .updateTable('address_changes')
    .set({ confirmed_at: sql<Date>`now()`, former_address: former })
    .where('id', '=', id)
    .execute()
}

/** Forgets the address whose notice was sent. */
export async function markNoticeSent(db: Db, id: string): Promise<void> {
  await db.updateTable('address_changes').set({ former_address: null }).where('id', '=', id).execute()
}

/** Forgets addresses that nobody has confirmed in time. */
export async function forgetUnconfirmedAddresses(db: Db): Promise<void> {
  await db
    .updateTable('address_changes')
    .set({ new_address: null })
    .where('new_address', 'is not', null)
    .where('created_at', '<=', secondsAgo(CONFIRM_SECONDS))
    .execute()
}
