import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { secondsFromNow } from '../database/times.ts'

/** Takes a caller's turn, unless somebody has it.
 *  @param caller a keyed hash
 *  @param holder an id by which the turn is given back
 *  @returns whether it was free */
export async function takeTurn(db: Db, caller: Buffer, holder: string, seconds: number): Promise<boolean> {
  const taken = await db
    .insertInto('selfie_turns')
    .values({ caller, holder, ends_at: secondsFromNow(seconds) })
    .onConflict((conflict) =>
      conflict
        .column('caller')
        .doUpdateSet({ holder, ends_at: secondsFromNow(seconds) })
        .where('selfie_turns.ends_at', '<=', sql<Date>`now()`),
    )
    .returning('caller')
    .executeTakeFirst()
  return taken !== undefined
}

export async function giveTurnBack(db: Db, caller: Buffer, holder: string): Promise<void> {
  await db.deleteFrom('selfie_turns').where('caller', '=', caller).where('holder', '=', holder).execute()
}

export async function deleteEndedTurns(db: Db): Promise<void> {
  await db.deleteFrom('selfie_turns').where('ends_at', '<', sql<Date>`now()`).execute()
}
