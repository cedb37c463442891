import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '../database/client.ts'
import { rowsInStatements } from '../database/rows-in-statements.ts'
import type { OptedOutFaceTable, OptOutState } from '../database/schema.ts'
import type { BoxColumns } from './face-box.ts'

/** In these states no search shows the faces of an opt-out. */
export const IN_EFFECT: OptOutState[] = ['hidden', 'permanent']

/** The people who are kept out of an album's photos. */
export function peopleKeptOut(db: Db, albumId: string) {
  return db
    .selectFrom('opt_outs')
    .select((eb) => ['id', eb.ref('person_cipher').$notNull().as('person_cipher')])
    .where('album_id', '=', albumId)
    .where('state', 'in', IN_EFFECT)
    .where('person_cipher', 'is not', null)
    .orderBy('id')
    .execute()
}

/** The opt-outs of the people who are kept out of an album's photos. */
export async function idsOfPeopleKeptOut(trx: Trx, albumId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('opt_outs')
    .select('id')
    .where('album_id', '=', albumId)
    .where('state', 'in', IN_EFFECT)
    .where('person_cipher', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Where in these photos faces are that no search may show. */
export function facesOptedOut(
  db: Db | Trx,
  photoIds: string[],
): Promise<(BoxColumns & { photo_id: string; opt_out_id: string; state: OptOutState })[]> {
  return db
    .selectFrom('opted_out_faces as gone')
    .innerJoin('opt_outs', 'opt_outs.id', 'gone.opt_out_id')
    .select(['photo_id', 'opt_out_id', 'state', 'box_left', 'box_top', 'box_width', 'box_height'])
    .where('photo_id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .where('state', 'in', IN_EFFECT)
    .orderBy('gone.id')
    .execute()
}

export async function insertOptedOutFaces(trx: Trx, rows: Insertable<OptedOutFaceTable>[]): Promise<void> {
  for (const some of rowsInStatements(rows)) await trx.insertInto('opted_out_faces').values(some).execute()
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
export async function facesToShow(db: Db, faceIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('faces')
    .select('id')
    .where('id', '=', sql<string>`any(${faceIds}::uuid[])`)
    .where('opt_out_id', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Where in a photo a face is. */
export type PlaceRow = BoxColumns & { photo_id: string }
export type FaceRow = BoxColumns & { id: string; photo_id: string }
const FACE_ROW = ['id', 'photo_id', 'box_left', 'box_top', 'box_width', 'box_height'] as const

/** Those of these faces that are in the album and that no opt-out hides. */
export function shownFaces(trx: Trx, albumId: string, faceIds: string[]): Promise<FaceRow[]> {
  return trx
    .selectFrom('faces')
    .select(FACE_ROW)
    .where('id', '=', sql<string>`any(${faceIds}::uuid[])`)
    .where('album_id', '=', albumId)
    .where('opt_out_id', 'is', null)
    .execute()
}

/** Where the faces of an opt-out are. */
export function placesOf(trx: Trx, optOutId: string): Promise<(PlaceRow & { id: string })[]> {
  return trx
    .selectFrom('opted_out_faces')
    .select(['id', 'photo_id', 'box_left', 'box_top', 'box_width', 'box_height'])
    .where('opt_out_id', '=', optOutId)
    .orderBy('id')
    .execute()
}

/** Where a face of an opt-out is. */
export type PlaceOfOptOut = PlaceRow & { id: string; opt_out_id: string; state: OptOutState }

const BOXES_OVERLAP = sql<boolean>`faces.box_left < place.box_left + place.box_width
  and place.box_left < faces.box_left + faces.box_width
  and faces.box_top < place.box_top + place.box_height
  and place.box_top < faces.box_top + faces.box_height`

/** The places of opt-outs in these states that overlap one of these faces. A photo may have a thousand faces, and most of
 *  them have nothing to do with it. */
export function placesOver(trx: Trx, faceIds: string[], states: OptOutState[]): Promise<PlaceOfOptOut[]> {
  return trx
    .selectFrom('faces')
    .innerJoin('opted_out_faces as place', 'place.photo_id', 'faces.photo_id')
    .innerJoin('opt_outs', 'opt_outs.id', 'place.opt_out_id')
    .select([
      'place.id',
      'place.photo_id',
      'place.opt_out_id',
      'opt_outs.state',
      'place.box_left',
      'place.box_top',
      'place.box_width',
      'place.box_height',
    ])
    .distinct()
    .where('faces.id', '=', sql<string>`any(${faceIds}::uuid[])`)
    .where('opt_outs.state', '=', sql<OptOutState>`any(${states}::text[])`)
    .where(BOXES_OVERLAP)
    .orderBy('place.id')
    .execute()
}

/** The faces that overlap one of these places, also those that an opt-out hides. */
export function facesUnder(trx: Trx, placeIds: string[]): Promise<FaceRow[]> {
  return trx
    .selectFrom('opted_out_faces as place')
    .innerJoin('faces', 'faces.photo_id', 'place.photo_id')
    .select([
      'faces.id',
      'faces.photo_id',
      'faces.box_left',
      'faces.box_top',
      'faces.box_width',
      'faces.box_height',
    ])
    .distinct()
    .where('place.id', '=', sql<string>`any(${placeIds}::bigint[])`)
    .where(BOXES_OVERLAP)
    .execute()
}

/** The faces that an opt-out hides. */
export async function facesHiddenBy(trx: Trx, optOutId: string): Promise<string[]> {
  const rows = await trx.selectFrom('faces').select('id').where('opt_out_id', '=', optOutId).execute()
  return rows.map(({ id }) => id)
}

/** Hides these faces from all searches. */
export async function hideFaces(trx: Trx, optOutId: string, faceIds: string[]): Promise<void> {
  await trx
    .updateTable('faces')
    .set({ opt_out_id: optOutId })
    .where('id', '=', sql<string>`any(${faceIds}::uuid[])`)
    .where('opt_out_id', 'is', null)
    .execute()
}

/** Lets searches show the faces of an opt-out again.
 *  @returns the photos of which a face was not indexed because of it: they are to be indexed again */
export async function showFaces(trx: Trx, optOutId: string): Promise<string[]> {
  const shown = await trx
    .updateTable('faces')
    .set({ opt_out_id: null })
    .where('opt_out_id', '=', optOutId)
    .returning('photo_id')
    .execute()
  const gone = await deletePlaces(trx, optOutId)
  const left = Map.groupBy(gone, ({ photo_id }) => photo_id)
  for (const { photo_id } of shown) left.get(photo_id)?.pop()
  return [...left].flatMap(([photoId, rows]) => (rows.length > 0 ? photoId : []))
}

/** Deletes where the faces of an opt-out are.
 *  @returns the photo of each */
export function deletePlaces(trx: Trx, optOutId: string): Promise<{ photo_id: string }[]> {
  return trx.deleteFrom('opted_out_faces').where('opt_out_id', '=', optOutId).returning('photo_id').execute()
}

/** Deletes these faces. The counts of their photos and their album stay, so that no count tells who has gone. */
export async function deleteFaces(trx: Trx, faceIds: string[]): Promise<void> {
  await trx.deleteFrom('faces').where('id', '=', sql<string>`any(${faceIds}::uuid[])`).execute()
}
