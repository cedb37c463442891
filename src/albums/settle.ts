import type { Db, Trx } from '../database/client.ts'
import type { JobSender } from '../database/job-sender.ts'
import type { Photo } from '../database/schema.ts'
import type { IndexedPhoto } from '../faces/face-index.ts'
import { findPhoto, markGivenUp, markIndexed } from '../photos/queries.ts'
import { completeIfDone } from './finish.ts'
import { addToCounters, lockAlbum } from './queries.ts'

interface Deps {
  db: Db
  jobs: JobSender
}

/** Records a photo's faces, counts it, and completes the album if it was the last: one transaction, in which
 *  a photo is settled at most once however often its job runs. */
export function settleIndexed({ db, jobs }: Deps, photo: Photo, found: IndexedPhoto): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await lockAlbum(trx, photo.album_id)
    if (await markIndexed(trx, photo, found)) await count(trx, jobs, photo.album_id, found.faces.length)
  })
}

/** Gives a photo up for the reason told to the owner, so that its album can complete without it. */
export async function settleGivenUp({ db, jobs }: Deps, photoId: string, reason: string): Promise<void> {
  const photo = await findPhoto(db, photoId)
  if (!photo) return
  await db.transaction().execute(async (trx) => {
    await lockAlbum(trx, photo.album_id)
    if (await markGivenUp(trx, photoId, reason)) await count(trx, jobs, photo.album_id, 0)
  })
}

async function count(trx: Trx, jobs: JobSender, albumId: string, faces: number): Promise<void> {
  await addToCounters(trx, albumId, { settled: 1, faces })
  await completeIfDone(trx, jobs, albumId)
}
