import { sql } from 'kysely'
import type { Db } from '../database/client.ts'

/** Counts a search in each of these albums that still exist. Searches of the same minute share a row.
 *  @returns in how many albums it was counted */
export async function addConsent(db: Db, albumIds: string[], version: number): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into consents (album_id, version, minute, searches)
    select id, ${version}, date_trunc('minute', now()), 1
    from albums where id = any(${albumIds}::uuid[])
    order by id for key share
    on conflict (album_id, version, minute) do update set searches = consents.searches + 1`.execute(db)
  return Number(numAffectedRows)
}
