import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Trx } from '../database/client.ts'
import { rowsInStatements } from '../database/rows-in-statements.ts'
import type { EngineName, Photo } from '../database/schema.ts'
import { boxColumns } from './face-box.ts'
import type { SettledFaces } from './findings.ts'

/** Replaces the faces of a photo with those that an engine has found. */
export async function recordFaces(
  trx: Trx,
  { photo, engine, faces, places, faceCount, unindexed, previewBytes }: SettledFaces,
): Promise<void> {
  await trx
    .updateTable('photos')
    .set({
      state: sql<Photo['state']>`case when state = 'hidden' then state else 'indexed' end`,
      engine,
      refused_by: null,
      given_up_reason: null,
      face_count: faceCount,
      unindexed_faces: unindexed.length > 0 ? JSON.stringify(unindexed) : null,
      ...(previewBytes !== undefined && { preview_bytes: previewBytes }),
      // The album is locked, so a later photo has a later time.
      indexed_at: sql<Date | null>`
        case when state in ('indexed', 'hidden') then indexed_at else clock_timestamp() end`,
    })
    .where('id', '=', photo.id)
    .execute()
  await trx.deleteFrom('faces').where('photo_id', '=', photo.id).execute()
  const rows = faces.map(({ faceId, box, confidence, quality, descriptor, optOutId }) => ({
    id: faceId,
    album_id: photo.album_id,
    photo_id: photo.id,
    ...boxColumns(box),
    confidence,
    ...quality,
    opt_out_id: optOutId,
    descriptor,
  }))
  const keptOut = places.map(({ box, optOutId }) => ({
    id: randomUUID(),
    album_id: photo.album_id,
    photo_id: photo.id,
    ...boxColumns(box),
    confidence: null,
    opt_out_id: optOutId,
  }))
  for (const some of rowsInStatements(keptOut)) await trx.insertInto('faces').values(some).execute()
  for (const some of rowsInStatements(rows)) await trx.insertInto('faces').values(some).execute()
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
