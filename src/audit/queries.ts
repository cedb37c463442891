import type { Insertable } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { AuditLogTable } from '../database/schema.ts'
import { secondsAgo } from '../database/times.ts'

export async function insertEvent(db: Db | Trx, event: Insertable<AuditLogTable>): Promise<void> {
  await db.insertInto('audit_log').values(event).execute()
}

/** Events with the slug of their album (null when it is erased) and what its erasure has left, the oldest first.
 *  @param album when given, only the events of this album; `nameHashes` find it when it is erased. */
export function findEvents(db: Db | Trx, album?: { id: string | null; slug: string; nameHashes: Buffer[] }) {
  return db
    .selectFrom('audit_log')
    .leftJoin('albums', 'albums.id', 'audit_log.album_id')
    .leftJoin('erasures', 'erasures.album_id', 'audit_log.album_id')
    .selectAll('audit_log')
    .select([
      'albums.slug',
      'erasures.finished_at',
      'erasures.rows_remaining',
      'erasures.files_remaining',
      'erasures.faces_remaining',
    ])
    .$if(album !== undefined, (query) =>
      query.where((where) =>
        where.or([
          where('albums.slug', '=', album!.slug),
          where('audit_log.album_id', '=', album!.id),
          where('audit_log.album_name_hash', 'in', album!.nameHashes),
        ]),
      ),
    )
    .orderBy('audit_log.id')
    .execute()
}

export type AuditRow = Awaited<ReturnType<typeof findEvents>>[number]

export async function deleteEventsOlderThan(db: Db, seconds: number): Promise<void> {
  await db.deleteFrom('audit_log').where('at', '<', secondsAgo(seconds)).execute()
}
