import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'

/** The rows of these faces, if they are in one of the albums. */
export function findFaceRecords(db: Db, albumIds: string[], faceIds: string[]) {
  return db
    .selectFrom('faces')
    .select(['id', 'album_id', 'photo_id', 'sharpness', 'brightness', 'yaw', 'pitch', 'roll'])
    .where('id', '=', sql<string>`any(${faceIds}::uuid[])`)
    .where('album_id', '=', sql<string>`any(${albumIds}::uuid[])`)
    .execute()
}
