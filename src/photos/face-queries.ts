import { sql } from 'kysely'
import type { Trx } from '../database/client.ts'
import { rowsInStatements } from '../database/rows-in-statements.ts'
import type { EngineName, Photo } from '../database/schema.ts'
import { boxColumns } from './face-box.ts'
import type { SettledFaces } from './findings.ts'

/** Replaces the faces of photos with those that an engine has found.
 *  @param findings has each photo once */
export async function recordFaces(trx: Trx, findings: SettledFaces[]): Promise<void> {
  const ids = findings.map(({ photo }) => photo.id)
  await trx
    .updateTable('photos')
    .from(
      indexingOf(findings).as<'indexing'>(
        sql`indexing (id, engine, face_count, unindexed_faces, preview_bytes)`,
      ),
    )
    .set((eb) => ({
      state: sql<Photo['state']>`case when state = 'hidden' then state else 'indexed' end`,
      engine: eb.ref('indexing.engine'),
      refused_by: null,
      given_up_reason: null,
      face_count: eb.ref('indexing.face_count'),
      unindexed_faces: eb.ref('indexing.unindexed_faces'),
      preview_bytes: sql<number>`coalesce(indexing.preview_bytes, photos.preview_bytes)`,
      // The album is locked, so a later photo has a later time.
      indexed_at: sql<Date | null>`
        case when state in ('indexed', 'hidden') then indexed_at else clock_timestamp() end`,
    }))
    .whereRef('photos.id', '=', 'indexing.id')
    .execute()
  await trx.deleteFrom('faces').where('photo_id', '=', sql<string>`any(${ids}::uuid[])`).execute()
  const rows = findings.flatMap(({ photo, faces }) =>
    faces.map(({ faceId, box, confidence, quality, optOutId }) => ({
      id: faceId,
      album_id: photo.album_id,
      photo_id: photo.id,
      ...boxColumns(box),
      confidence,
      ...quality,
      opt_out_id: optOutId,
    })),
  )
  for (const some of rowsInStatements(rows)) await trx.insertInto('faces').values(some).execute()
}

/** What the rows of photos say about their faces, as a table with a row for each photo. */
function indexingOf(findings: SettledFaces[]) {
  const ids = findings.map(({ photo }) => photo.id)
  const engines = findings.map(({ engine }) => engine)
  const counts = findings.map(({ faceCount }) => faceCount)
  const unindexedFaces = findings.map(({ unindexed }) =>
    unindexed.length > 0 ? JSON.stringify(unindexed) : null,
  )
  const previewBytes = findings.map((one) => one.previewBytes ?? null)
  return sql<{ id: string; engine: EngineName; face_count: number; unindexed_faces: string | null }>`
    unnest(${ids}::uuid[], ${engines}::text[], ${counts}::integer[], ${unindexedFaces}::jsonb[], ${previewBytes}::integer[])`
}

/** Records that an engine could not index a photo. A photo that was never indexed is given up; others keep their faces. */
export async function recordRefusal(
  trx: Trx,
  photoId: string,
  engine: EngineName,
  reason: string,
): Promise<void> {
  await trx
    .updateTable('photos')
    .set({
      state: sql<Photo['state']>`case when state = 'stored' then 'given_up' else state end`,
      refused_by: engine,
      given_up_reason: reason,
    })
    .where('id', '=', photoId)
    .execute()
}
