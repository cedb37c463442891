import type { AlbumFace, QueryFace } from './find-person.ts'
import { distanceOf } from './template.ts'

/** A selfie that is closer than this to a face of the album is a picture of the album. docs/matching.md has the measurement. */
export const TAKEN_FROM_ALBUM = 0.15

/** Whether a selfie is a picture that the album has: the same one, a screenshot or a crop of it.
 *  @param faces all that are possibly of the person */
export function areFromAlbum(selfies: readonly QueryFace[], faces: readonly AlbumFace[]): boolean {
  return selfies.some((selfie) =>
    faces.some((face) => distanceOf(selfie.descriptor, face.descriptor) <= TAKEN_FROM_ALBUM),
  )
}
