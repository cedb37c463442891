import type { Db } from '../database/client.ts'
import { withAlbum } from '../database/transaction.ts'
import { enginesOf } from '../faces/collection-queries.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { type FormerFaces, withEngine } from '../faces/former-faces.ts'
import { forgetFaces } from '../photos/opted-out-queries.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import { markErased, optOutsToErase } from './opt-out-queries.ts'

const AT_ONCE = 100

/** Erases the faces of those opt-outs that nobody has undone within 72 hours, or before a letter has told the owner. Only the
 *  places of the faces stay, so that they do not come back when their photos are indexed again. May be repeated. */
export async function eraseOptOuts({ db, jobs }: { db: Db; jobs: JobSender }): Promise<void> {
  for (;;) {
    const due = await optOutsToErase(db, AT_ONCE)
    for (const { id, album_id: albumId } of due)
      await withAlbum(db, albumId, async (trx, album) => {
        if (!album || !(await markErased(trx, id))) return
        const faceIds = await forgetFaces(trx, id)
        if (faceIds.length > 0) await jobs.send(trx, queues.removeFaces, [{ albumId, faceIds }])
      })
    if (due.length < AT_ONCE) return
  }
}

/** Removes faces of an album from every engine that has a collection of it. May be repeated.
 *  @returns false while the former engine is unavailable
 *  @throws AppError SERVICE_UNAVAILABLE while the current engine is unavailable */
export async function removeFromEngines(
  deps: { db: Db; faces: FaceIndex; formerFaces: FormerFaces },
  albumId: string,
  remove: (index: FaceIndex) => Promise<void>,
): Promise<boolean> {
  let isDone = true
  for (const engine of await enginesOf(deps.db, albumId)) {
    const removed = await withEngine(deps, engine, async (index) => {
      await remove(index)
      return true
    })
    isDone &&= removed ?? false
  }
  return isDone
}
