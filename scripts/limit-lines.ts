import type { Db } from '../src/database/client.ts'
import { limitsOfAlbum, measureNonMates } from '../src/faces/embedded/matching/album-limits.ts'
import { similarityOfDistance } from '../src/faces/embedded/matching/similarity.ts'
import { countFaces, statesOf } from '../src/faces/embedded/queries.ts'

/** The limits of an album in the embedded engine, and where they come from, as lines with a label. None for an album
 *  that has no faces there.
 *  @param threshold FACE_MATCH_THRESHOLD, if it is set */
export async function limitLines(
  db: Db,
  albumId: string,
  threshold: number | undefined,
): Promise<[string, string][]> {
  const stateOf = async () => (await statesOf(db, [albumId])).get(albumId)
  const before = await stateOf()
  if (!before || (await countFaces(db, albumId)) === 0) return []
  await measureNonMates(db, albumId, before)
  const state = (await stateOf()) ?? before
  const { sure, possible } = limitsOfAlbum(state, threshold)
  const { faces, nonMates } = state
  const pairs = nonMates?.pairs ?? 0
  const origin =
    pairs > 0
      ? `${pairs} pairs of people in its photos (median ${nonMates!.median.toFixed(2)})`
      : 'other albums, because no photo shows two people'
  return [
    ['Sure', `${similarity(sure)}${threshold === undefined ? '' : ', set by FACE_MATCH_THRESHOLD'}`],
    ['Possible', similarity(possible)],
    ['Limits from', `${faces} faces, and ${origin}`],
  ]
}

function similarity(distance: number): string {
  return `from similarity ${similarityOfDistance(distance).toFixed(0)} (distance ${distance.toFixed(3)})`
}
