import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { FaceQuality } from '../face-index.ts'
import type { AlbumFace } from './find-person.ts'

/** What is known of an indexed face. */
export interface FaceRecord extends AlbumFace {
  albumId: string
  quality: FaceQuality
}

/** What Inframe knows of faces in these albums, by their ids. Faces that were removed, and those of other albums, are
 *  missing. */
export type FaceRecords = (albumIds: string[], faceIds: string[]) => Promise<Map<string, FaceRecord>>

export function createFaceRecords(db: Db): FaceRecords {
  return async (albumIds, faceIds) => {
    if (faceIds.length === 0) return new Map()
    const rows = await db
      .selectFrom('faces')
      .select(['id', 'album_id', 'photo_id', 'sharpness', 'brightness', 'yaw', 'pitch', 'roll'])
      .where('id', '=', sql<string>`any(${faceIds}::uuid[])`)
      .where('album_id', '=', sql<string>`any(${albumIds}::uuid[])`)
      .execute()
    return new Map(
      rows.map(({ id, album_id, photo_id, ...quality }) => [
        id,
        { faceId: id, albumId: album_id, photoId: photo_id, quality },
      ]),
    )
  }
}
