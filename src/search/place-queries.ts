import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { secondsAgo, secondsFromNow } from '../database/times.ts'
import type { Keyring } from '../keyring.ts'
import type { Places } from './selfie-line.ts'

/** A place is kept for so long after its time. */
const KEPT_SECONDS = 120

/** Only a keyed hash of a caller is stored. */
export function createPlaces({ db, keyring }: { db: Db; keyring: Keyring }): Places {
  const hashOf = (caller: string) => keyring.mac('address-hash', `selfie place ${caller}`)

  return {
    async secondsUntil(caller) {
      const place = await db
        .selectFrom('selfie_places')
        .select(sql<number>`extract(epoch from due_at - now())::float8`.as('seconds'))
        .where('caller', '=', hashOf(caller))
        .where('due_at', '>', secondsAgo(KEPT_SECONDS))
        .executeTakeFirst()
      return place?.seconds
    },

    async keep(caller, seconds) {
      const due_at = secondsFromNow(seconds)
      await db
        .insertInto('selfie_places')
        .values({ caller: hashOf(caller), due_at })
        .onConflict((conflict) => conflict.column('caller').doUpdateSet({ due_at }))
        .execute()
    },

    async giveUp(caller) {
      await db.deleteFrom('selfie_places').where('caller', '=', hashOf(caller)).execute()
    },
  }
}

/** Deletes the places of callers who did not come again. */
export async function deleteOldPlaces(db: Db): Promise<void> {
  await db.deleteFrom('selfie_places').where('due_at', '<', secondsAgo(KEPT_SECONDS)).execute()
}
