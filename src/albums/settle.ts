import type { Db } from '../database/client.ts'
import type { EngineName } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { collectionExists } from '../faces/collection-queries.ts'
import type { FoundFaces } from '../photos/index-faces.ts'
import { findPhoto, recordFaces, recordRefusal } from '../photos/queries.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { completeIfDone } from './finish.ts'
import { addToCounters, lockAlbum } from './queries.ts'

interface Deps {
  db: Db
  jobs: JobSender
}

/** Replaces a photo's faces, and completes the album if this photo was the last. One transaction does both, and counts
 *  a photo once, however often its job runs.
 *  @throws AppError SERVICE_UNAVAILABLE when the collection with these faces was removed meanwhile: index it again */
export function settleIndexed({ db, jobs }: Deps, { photo, found, collection }: FoundFaces): Promise<void> {
  return db.transaction().execute(async (trx) => {
    if (!(await lockAlbum(trx, photo.album_id))) return
    // The removal of a collection begins under the same lock, and only when no photo is in it. So either this photo
    // prevents the removal, or it has to be indexed in the next collection.
    if (!(await collectionExists(trx, collection)))
      throw new AppError('SERVICE_UNAVAILABLE', 'The collection of this album has been removed meanwhile')
    const before = await findPhoto(trx, photo.id)
    if (!before) return
    await recordFaces(trx, photo, collection.engine, found)
    const album = await addToCounters(trx, photo.album_id, {
      settled: before.state === 'stored' ? 1 : 0,
      faces: found.faces.length - (before.face_count ?? 0),
    })
    if (before.state === 'stored') await completeIfDone(trx, jobs, album)
  })
}

/** Records that an engine cannot index a photo, with the reason for the owner. A photo that was never indexed is given
 *  up, so that its album can complete. An indexed photo keeps its faces. */
export async function settleGivenUp(
  { db, jobs }: Deps,
  photoId: string,
  { engine, reason }: { engine: EngineName; reason: string },
): Promise<void> {
  const photo = await findPhoto(db, photoId)
  if (!photo) return
  await db.transaction().execute(async (trx) => {
    await lockAlbum(trx, photo.album_id)
    const before = await findPhoto(trx, photoId)
    if (!before || before.engine === engine) return
    await recordRefusal(trx, photoId, engine, reason)
    if (before.state !== 'stored') return
    const album = await addToCounters(trx, photo.album_id, { settled: 1 })
    await completeIfDone(trx, jobs, album)
  })
}
