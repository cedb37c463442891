import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'

/** The descriptors of these faces, with their quality. The quality is missing while an album moves to another engine,
 *  and for faces that were indexed before it was measured. `offset 0` makes Postgres look up each face. Without it,
 *  Postgres reads all albums' faces and photos as soon as a few thousand are wanted. */
export function descriptorsOfFaces(db: Db, faceIds: string[]) {
  return db
    .selectFrom('face_descriptors')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('faces')
          .select(['sharpness', 'brightness', 'yaw', 'pitch', 'roll', 'box_width', 'box_height'])
          .whereRef('faces.id', '=', 'face_descriptors.face_id')
          .offset(sql.lit(0))
          .as('face'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('photos')
          .select(['width', 'height'])
          .whereRef('photos.id', '=', 'face_descriptors.photo_id')
          .offset(sql.lit(0))
          .as('photo'),
      (join) => join.onTrue(),
    )
    .select([
      'face_descriptors.album_id',
      'face_descriptors.face_id',
      'face_descriptors.photo_id',
      'descriptor',
    ])
    .select(['sharpness', 'brightness', 'yaw', 'pitch', 'roll', 'box_width', 'box_height'])
    .select(['photo.width', 'photo.height'])
    .where('face_descriptors.face_id', '=', sql<string>`any(${faceIds}::uuid[])`)
    .execute()
}

export type DescribedFaceRow = Omit<Awaited<ReturnType<typeof descriptorsOfFaces>>[number], 'album_id'>

/** Does not filter by album: Postgres would then also read the places of all its faces. */
export function idsInPhotos(db: Db, photoIds: string[]) {
  return db
    .selectFrom('face_descriptors')
    .select('face_id')
    .where('photo_id', '=', sql<string>`any(${photoIds}::uuid[])`)
    .execute()
}

/** The largest faces of photos that show two people and more. The photos come in the order of their hashes, which is that of
 *  an index and says nothing about the people.
 *  @param limit.faces of a photo */
export async function descriptorsTogether(
  db: Db,
  albumId: string,
  limit: { photos: number; faces: number },
): Promise<DescribedFaceRow[]> {
  const { rows } = await sql<DescribedFaceRow>`
    select largest.*, photo.id as photo_id, photo.width, photo.height
    from (
      select id, sha256, width, height
      from photos
      where album_id = ${albumId} and state = 'indexed' and face_count >= 2
      order by sha256
      limit ${limit.photos}
    ) photo
    cross join lateral (
      select face_id, descriptor, sharpness, brightness, yaw, pitch, roll, box_width, box_height
      from faces
      join face_descriptors on face_descriptors.face_id = faces.id
      where faces.photo_id = photo.id
      order by box_width * box_height desc
      limit ${limit.faces}
    ) largest
    order by photo.sha256, box_width * box_height desc`.execute(db)
  return rows
}
