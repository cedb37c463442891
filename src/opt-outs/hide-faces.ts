import type { Trx } from '../database/client.ts'
import { boxOf } from '../photos/face-box.ts'
import { matchFaces } from '../photos/opted-out.ts'
import {
  type FaceRow,
  facesHiddenBy,
  facesUnder,
  hideFaces,
  IN_EFFECT,
  type PlaceRow,
  placesOf,
  placesOver,
  showFaces,
} from '../photos/opted-out-queries.ts'

/** From the moment when faces are hidden until they are erased. Until then the opt-out can be taken back. */
export const SECONDS_UNTIL_PERMANENT = 72 * 3600

/** Hides the faces of an opt-out from all searches: those that now are where its faces were. A photo may have been indexed
 *  again meanwhile. */
export async function hideFacesOf(trx: Trx, id: string): Promise<void> {
  await hideFaces(trx, id, await facesOf(trx, id))
}

/** The ids of the faces that are where those of an opt-out were, also when another opt-out hides them. */
export async function facesOf(trx: Trx, id: string): Promise<string[]> {
  const places = await placesOf(trx, id)
  const faces = await facesUnder(trx, idsOf(places))
  return idsAt(faces, places, await placesOver(trx, idsOf(faces), ['permanent']))
}

/** Lets searches show the faces of an opt-out again, apart from those that another one hides, too.
 *  @returns the photos that are to be indexed again */
export async function showFacesOf(trx: Trx, id: string): Promise<string[]> {
  const hidden = await facesHiddenBy(trx, id)
  const photosToIndex = await showFaces(trx, id)
  const others = await placesOver(trx, hidden, IN_EFFECT)
  const faces = await facesUnder(trx, idsOf(others))
  const deleted = others.filter(({ state }) => state === 'permanent')
  for (const [other, places] of Map.groupBy(others, ({ opt_out_id }) => opt_out_id))
    await hideFaces(trx, other, idsAt(faces, places, deleted))
  return photosToIndex
}

/** Those of these faces that do not wait for the owner in another opt-out. */
export async function withoutWaiting(trx: Trx, faces: FaceRow[]): Promise<FaceRow[]> {
  const places = await placesOver(trx, idsOf(faces), ['waiting'])
  const near = await facesUnder(trx, idsOf(places))
  const waiting = [...Map.groupBy(places, ({ opt_out_id }) => opt_out_id).values()].flatMap((some) =>
    idsAt(near, some, []),
  )
  const ids = new Set(waiting)
  return faces.filter(({ id }) => !ids.has(id))
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

/** The ids of those faces that are at one of the places of an opt-out.
 *  @param faces all that overlap a place. A place is that of the face that it covers best, so a neighbour's face is not taken
 *  for one that has been deleted or is hidden
 *  @param deleted where the faces of permanent opt-outs were */
function idsAt(faces: FaceRow[], places: PlaceRow[], deleted: PlaceRow[]): string[] {
  const facesOfPhoto = Map.groupBy(faces, ({ photo_id }) => photo_id)
  const deletedOfPhoto = Map.groupBy(deleted, ({ photo_id }) => photo_id)
  return [...Map.groupBy(places, ({ photo_id }) => photo_id)].flatMap(([photoId, some]) => {
    const present = (facesOfPhoto.get(photoId) ?? []).map((row) => ({ id: row.id, box: boxOf(row) }))
    const gone = (deletedOfPhoto.get(photoId) ?? []).map((row) => ({ id: null, box: boxOf(row) }))
    const matched = matchFaces(
      [...present, ...gone],
      some.map((row) => ({ box: boxOf(row) })),
    )
    return [...matched.keys()].flatMap(({ id }) => id ?? [])
  })
}
