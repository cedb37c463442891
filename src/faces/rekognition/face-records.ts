import type { Db } from '../../database/client.ts'
import type { FaceQuality } from '../face-index.ts'
import { findFaceRecords } from './face-record-queries.ts'
import type { AlbumFace } from './find-person.ts'

/** What is known of an indexed face. */
export interface FaceRecord extends AlbumFace {
  albumId: string
  quality: FaceQuality
}

/** What Inframe knows of faces in these albums. Faces that were removed, and those of other albums, are missing. */
export type FaceRecords = (albumIds: string[], faceIds: string[]) => Promise<FaceRecord[]>

export function createFaceRecords(db: Db): FaceRecords {
  return async (albumIds, faceIds) => {
    if (faceIds.length === 0) return []
    const rows = await findFaceRecords(db, albumIds, faceIds)
    return rows.map(({ id, album_id, photo_id, ...quality }) => ({
      faceId: id,
      albumId: album_id,
      photoId: photo_id,
      quality,
    }))
  }
}
