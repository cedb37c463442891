import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import type { EngineName, OptOutState, Photo } from '../database/schema.ts'
import type { BoundingBox, IndexedFace, UnindexedFace } from '../faces/face-index.ts'
import { type BoxColumns, boxColumns } from './face-box.ts'

/** The faces of a photo as they are recorded. */
export interface SettledFaces {
  photo: Photo
  engine: EngineName
  /** With the opt-out that hides the face, or null. */
  faces: (IndexedFace & { optOutId: string | null })[]
  /** Where faces are that an opt-out keeps out of the index. */
  places: { box: BoundingBox; optOutId: string }[]
  unindexed: UnindexedFace[]
  /** How many faces were found, with those that have opted out. So no count tells who has. */
  faceCount: number
}

/** Replaces the faces of a photo with those that an engine has found.
 *  @returns the ids of the faces before, apart from those that were erased */
export async function recordFaces(
  trx: Trx,
  { photo, engine, faces, places, faceCount, unindexed }: SettledFaces,
): Promise<string[]> {
  await trx
    .updateTable('photos')
    .set({
      state: sql<Photo['state']>`case when state = 'hidden' then state else 'indexed' end`,
      engine,
      given_up_reason: null,
      face_count: faceCount,
      unindexed_faces: unindexed.length > 0 ? JSON.stringify(unindexed) : null,
      // The album is locked, so a later photo has a later time.
      indexed_at: sql<Date | null>`
        case when face_count is not null then indexed_at else clock_timestamp() end`,
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
  const all = [...keptOut, ...rows]
  if (all.length > 0) await trx.insertInto('faces').values(all).execute()
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

/** In these states no search shows the faces of an opt-out. */
const IN_EFFECT: OptOutState[] = ['active', 'erased']

/** The people who are kept out of an album's photos. */
export function peopleKeptOut(db: Db | Trx, albumId: string) {
  return db
    .selectFrom('opt_outs')
    .select((eb) => ['id', eb.ref('person_cipher').$notNull().as('person_cipher')])
    .where('album_id', '=', albumId)
    .where('state', 'in', IN_EFFECT)
    .where('person_cipher', 'is not', null)
    .orderBy('id')
    .execute()
}

/** The faces of these photos that an opt-out hides: those that are erased first. */
export function facesOptedOut(
  db: Db | Trx,
  photoIds: string[],
): Promise<(BoxColumns & { photo_id: string; opt_out_id: string; state: OptOutState })[]> {
  return db
    .selectFrom('faces')
    .innerJoin('opt_outs', 'opt_outs.id', 'faces.opt_out_id')
    .select(['photo_id', 'opt_outs.id as opt_out_id', 'state'])
    .select(['box_left', 'box_top', 'box_width', 'box_height'])
    .where('photo_id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .orderBy(sql`state = 'erased'`, 'desc')
    .orderBy('faces.id')
    .execute()
}

/** How many faces the guests of an album have opted out: those that they have named, as in the owner's list of opt-outs. Faces that
 *  were left out of later photos are not counted. Otherwise an owner who adds a photo of one person would see that the number
 *  rises, and learn who has opted out. */
export async function countFacesOptedOut(db: Db, albumId: string): Promise<number> {
  const row = await db
    .selectFrom('opt_outs')
    .select(sql<number>`coalesce(sum(faces), 0)::integer`.as('faces'))
    .where('album_id', '=', albumId)
    .where('state', 'in', IN_EFFECT)
    .executeTakeFirstOrThrow()
  return row.faces
}

/** Which of these faces a search may show: those that have a row and that no opt-out hides. */
export function shownFaces(
  db: Db | Trx,
  faceIds: string[],
): Promise<{ id: string; album_id: string; photo_id: string }[]> {
  return db
    .selectFrom('faces')
    .select(['id', 'album_id', 'photo_id'])
    .where('id', '=', sql<string>`any(${faceIds}::uuid[])`)
    .where('opt_out_id', 'is', null)
    .execute()
}

/** Which of these faces are in the album, and where in their photos. */
export function findFaceBoxes(db: Db, albumId: string, faceIds: string[]) {
  return db
    .selectFrom('faces')
    .select(['id', 'box_left', 'box_top', 'box_width', 'box_height'])
    .where('id', '=', sql<string>`any(${faceIds}::uuid[])`)
    .where('album_id', '=', albumId)
    .execute()
}

/** Hides these faces from all searches. */
export async function hideFaces(trx: Trx, optOutId: string, faceIds: string[]): Promise<void> {
  await trx
    .updateTable('faces')
    .set({ opt_out_id: optOutId })
    .where('id', '=', sql<string>`any(${faceIds}::uuid[])`)
    .execute()
}

/** Lets searches show the faces of an opt-out again. Of those that are not in the index the places stay until their photo was
 *  indexed again: an owner who sees them go would learn who it was.
 *  @returns the photos of which a face is not in the index because of it: they are to be indexed again */
export async function showFaces(trx: Trx, optOutId: string): Promise<string[]> {
  const shown = await trx
    .updateTable('faces')
    .set({ opt_out_id: null })
    .where('opt_out_id', '=', optOutId)
    .returning(['photo_id', 'confidence'])
    .execute()
  const keptOut = shown.filter(({ confidence }) => confidence === null)
  return [...new Set(keptOut.map(({ photo_id }) => photo_id))]
}

/** What a face has of which only the place is kept. */
const FORGOTTEN = {
  confidence: null,
  ...{ sharpness: null, brightness: null, yaw: null, pitch: null, roll: null },
}

/** Deletes the faces of an album. Of those that have opted out the places stay, so that they stay out when it is indexed again. */
export async function deleteFaces(trx: Trx, albumId: string): Promise<void> {
  await trx.deleteFrom('faces').where('album_id', '=', albumId).where('opt_out_id', 'is', null).execute()
  await trx
    .updateTable('faces')
    .set({ ...FORGOTTEN, descriptor: null })
    .where('album_id', '=', albumId)
    .execute()
}

/** Forgets everything about the faces of an opt-out but their places. The counts of their photos and their album stay, so that
 *  no count tells who has gone.
 *  @returns the ids under which the index has them */
export async function forgetFaces(trx: Trx, optOutId: string): Promise<string[]> {
  const rows = await trx
    .updateTable('faces')
    .set(FORGOTTEN)
    .where('opt_out_id', '=', optOutId)
    .where('confidence', 'is not', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
