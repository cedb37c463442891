import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { TakeOut } from '../database/schema.ts'
import { secondsSince } from '../database/times.ts'

export async function insertTakeOut(
  trx: Trx,
  takeOut: { album_id: string; faces: number; photos_to_hide: string[] | null },
): Promise<{ id: string; created_at: Date }> {
  return await trx
    .insertInto('take_outs')
    .values(takeOut)
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
}

export function findTakeOut(db: Db | Trx, id: string): Promise<TakeOut | undefined> {
  return db.selectFrom('take_outs').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The wishes that no letter to the owner has named, the oldest first. */
export function unsentWishes(trx: Trx, albumId: string): Promise<TakeOut[]> {
  return trx
    .selectFrom('take_outs')
    .selectAll()
    .where('album_id', '=', albumId)
    .where('told_at', 'is', null)
    .orderBy('created_at')
    .execute()
}

/** The wishes that the owner has not answered, the oldest first. */
export function openWishes(db: Db, albumId: string): Promise<TakeOut[]> {
  return db
    .selectFrom('take_outs')
    .selectAll()
    .where('album_id', '=', albumId)
    .where('photos_to_hide', 'is not', null)
    .where('answer', 'is', null)
    .orderBy('created_at')
    .execute()
}

/** Seconds since the last letter about wishes; undefined when there was none. */
export async function secondsSinceWishesTold(trx: Trx, albumId: string): Promise<number | undefined> {
  const row = await trx
    .selectFrom('take_outs')
    .select(secondsSince<number | null>(sql`max(told_at)`).as('seconds'))
    .where('album_id', '=', albumId)
    .where('letter_id', 'is not', null)
    .executeTakeFirst()
  return row?.seconds ?? undefined
}

export async function assignWishesLetter(trx: Trx, ids: string[], letterId: string): Promise<void> {
  await trx
    .updateTable('take_outs')
    .set({ letter_id: letterId })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Records that a letter has named these wishes, or that none will. */
export async function markWishesTold(db: Db | Trx, ids: string[]): Promise<void> {
  await db
    .updateTable('take_outs')
    .set({ told_at: sql<Date>`now()` })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export async function recordAnswer(trx: Trx, id: string, answer: 'hide' | 'show'): Promise<void> {
  await trx.updateTable('take_outs').set({ answer }).where('id', '=', id).execute()
}

/** Records for all wishes about an album that its photos are shown. */
export async function recordAllShown(trx: Trx, albumId: string): Promise<void> {
  await trx
    .updateTable('take_outs')
    .set({ answer: 'show' })
    .where('album_id', '=', albumId)
    .where('answer', '=', 'hide')
    .execute()
}

/** The photos of its album that the owner has hidden for other guests. */
export async function hiddenForOthers(trx: Trx, takeOut: TakeOut): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('take_outs')
    .select(sql<string>`unnest(photos_to_hide)`.as('photo_id'))
    .where('album_id', '=', takeOut.album_id)
    .where('answer', '=', 'hide')
    .where('id', '<>', takeOut.id)
    .execute()
  return new Set(rows.map(({ photo_id }) => photo_id))
}
