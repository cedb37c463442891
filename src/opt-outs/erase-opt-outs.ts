import type { Db } from '../database/client.ts'
import type { JobSender } from '../database/jobs.ts'
import { withAlbum } from '../database/transaction.ts'
import { forgetFaces } from '../photos/opted-out-queries.ts'
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
        if (faceIds.length > 0) await jobs.send(trx, 'remove-faces', [{ albumId, faceIds }])
      })
    if (due.length < AT_ONCE) return
  }
}
