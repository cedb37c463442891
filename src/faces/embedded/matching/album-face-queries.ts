import { sql } from 'kysely'
import type { Db } from '../../../database/client.ts'
import type { FaceQuality } from '../../face-index.ts'
import { descriptorOf } from '../descriptors.ts'
import { sideWhenDescribed, strictnessOf } from './face-trust.ts'
import type { AlbumFace } from './find-person.ts'

/** How many photos, and faces of each, are read. More than two faces, because some are too poor to be measured. */
const TOGETHER = { photos: 500, faces: 4 }

interface Row extends FaceQuality {
  id: string
  photo_id: string
  descriptor: Buffer | null
  box_width: number
  box_height: number
  /** Of the photo. */
  width: number
  height: number
}

const COLUMNS = [
  ...(['id', 'descriptor', 'sharpness', 'brightness', 'yaw', 'pitch', 'roll'] as const),
  ...(['box_width', 'box_height'] as const),
]

/** These faces. Those that the album does not have, or no more, are missing from the answer. `offset 0` makes Postgres look
 *  up each photo. Without it, Postgres reads all albums' photos as soon as a few thousand are wanted. */
export async function facesOfAlbum(
  db: Db,
  albumId: string,
  ...[which, values]: [which: 'number', values: number[]] | [which: 'id', values: string[]]
): Promise<AlbumFace[]> {
  if (values.length === 0) return []
  const type = sql.raw(which === 'number' ? 'bigint' : 'uuid')
  const rows = await db
    .selectFrom('faces')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('photos')
          .select(['width', 'height'])
          .whereRef('photos.id', '=', 'faces.photo_id')
          .offset(sql.lit(0))
          .as('photo'),
      (join) => join.onTrue(),
    )
    .select([...COLUMNS, 'photo_id', 'photo.width', 'photo.height'])
    .where('album_id', '=', albumId)
    .where(which, '=', sql<string>`any(${values}::${type}[])`)
    .where('descriptor', 'is not', null)
    .execute()
  return rows.map(faceOf)
}

/** The largest faces of up to 500 photos that show two people and more: photo by photo, the largest first. The photos come
 *  in the order of their hashes, which is that of an index and says nothing about the people. So they are always the same
 *  while none is added or removed. */
export async function facesWithOthers(db: Db, albumId: string): Promise<AlbumFace[]> {
  const { rows } = await sql<Row>`
    select largest.*, photo.id as photo_id, photo.width, photo.height
    from (
      select id, sha256, width, height
      from photos
      where album_id = ${albumId} and state = 'indexed' and face_count >= 2
      order by sha256
      limit ${TOGETHER.photos}
    ) photo
    cross join lateral (
      select ${sql.join(COLUMNS.map((column) => sql.ref(column)))}
      from faces
      where faces.photo_id = photo.id and descriptor is not null
      order by box_width * box_height desc
      limit ${TOGETHER.faces}
    ) largest
    order by photo.sha256, box_width * box_height desc`.execute(db)
  return rows.map(faceOf)
}

function faceOf(row: Row): AlbumFace {
  const side = sideWhenDescribed({ width: row.box_width, height: row.box_height }, row)
  return {
    faceId: row.id,
    photoId: row.photo_id,
    descriptor: descriptorOf(row.descriptor!),
    strictness: strictnessOf(row, side),
  }
}
