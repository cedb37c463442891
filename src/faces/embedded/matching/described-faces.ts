import type { Db } from '../../../database/client.ts'
import { descriptorOf } from '../descriptors.ts'
import { type DescribedFaceRow, describedFaces, facesTogether } from '../queries.ts'
import { sideWhenDescribed, strictnessOf } from './face-trust.ts'
import type { AlbumFace } from './find-person.ts'

/** How many photos, and faces of each, are read. More than two faces, because some are too poor to be measured. */
const TOGETHER = { photos: 500, faces: 4 }

/** These faces. Those that the album does not have, or no more, are missing from the answer. */
export async function facesOfAlbum(
  db: Db,
  albumId: string,
  ...wanted: [which: 'number', values: number[]] | [which: 'id', values: string[]]
): Promise<AlbumFace[]> {
  const [which, values] = wanted
  return values.length > 0 ? (await describedFaces(db, albumId, which, values)).map(faceOf) : []
}

/** Faces of up to 500 photos that show two people and more: the largest ones of each, photo by photo, the largest first.
 *  Always the same photos while none is added or removed. */
export async function facesWithOthers(db: Db, albumId: string): Promise<AlbumFace[]> {
  return (await facesTogether(db, albumId, TOGETHER)).map(faceOf)
}

function faceOf(row: DescribedFaceRow): AlbumFace {
  const { box_width, box_height, width, height } = row
  return {
    faceId: row.id,
    photoId: row.photo_id,
    descriptor: descriptorOf(row.descriptor),
    strictness: strictnessOf(
      row,
      sideWhenDescribed({ width: box_width, height: box_height }, { width, height }),
    ),
  }
}
