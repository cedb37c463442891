import sharp from 'sharp'
import type { Db } from '../database/client.ts'
import { boxOf } from '../photos/face-box.ts'
import { cropFace } from './sample-photos.ts'

/** A JPEG of the largest face in an indexed photo, with a margin around it, like a selfie from a phone.
 *  @param photo the bytes that were uploaded under this filename */
export async function selfieFrom(db: Db, filename: string, photo: Buffer): Promise<Buffer> {
  const face = await db
    .selectFrom('faces')
    .innerJoin('photos', 'photos.id', 'faces.photo_id')
    .selectAll('faces')
    .where('photos.filename', '=', filename)
    .orderBy('box_width', 'desc')
    .executeTakeFirstOrThrow()
  const selfie = await cropFace(photo, boxOf(face), 1.6)
  return sharp(selfie).jpeg({ quality: 85 }).toBuffer()
}

/** The same person as in another picture: stretched by a third. For the faces of the sample photos, its descriptor is farther
 *  from those of the album than that of any copy that a guest would make, also from those of mirrored photos. */
export function newSelfie(selfie: Buffer): Promise<Buffer> {
  return sharp(selfie).resize(200, 260, { fit: 'fill' }).jpeg({ quality: 85 }).toBuffer()
}
