import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Trx } from '../database/client.ts'
import { rowsInStatements } from '../database/rows-in-statements.ts'
import type { EngineName, Photo } from '../database/schema.ts'
import { boxColumns } from './face-box.ts'
import type { SettledFaces } from './findings.ts'
import { FORGOTTEN } from './opted-out-queries.ts'

/** Replaces the faces of a photo with those that an engine has found.
 *  @returns the ids of the faces before, apart from those that were erased */
export async function recordFaces(
  trx: Trx,
  { photo, engine, faces, places, faceCount, unindexed, previewBytes }: SettledFaces,
): Promise<string[]> {
  await trx
    .updateTable('photos')
    .set({
      state: sql<Photo['state']>`case when state = 'hidden' then state else 'indexed' end`,
      engine,
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
  const before = await trx
    .deleteFrom('faces')
    .where('photo_id', '=', photo.id)
    .returning(['id', 'confidence'])
    .execute()
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
  return before.flatMap(({ id, confidence }) => (confidence === null ? [] : id))
}

/** Records that an engine could not index a photo. Of its faces only the places of those that have opted out stay. A hidden
 *  photo stays hidden. */
export async function recordGivenUp(
  trx: Trx,
  photoId: string,
  engine: EngineName,
  reason: string,
): Promise<void> {
  await trx
    .updateTable('photos')
    .set({
      state: sql<Photo['state']>`case when state = 'hidden' then state else 'given_up' end`,
      engine,
      given_up_reason: reason,
      face_count: null,
      unindexed_faces: null,
    })
    .where('id', '=', photoId)
    .execute()
  await trx.deleteFrom('faces').where('photo_id', '=', photoId).where('opt_out_id', 'is', null).execute()
  await trx
    .updateTable('faces')
    .set({ ...FORGOTTEN, descriptor: null })
    .where('photo_id', '=', photoId)
    .execute()
}
