import type { Db } from '../database/client.ts'
import { withAlbum } from '../database/transaction.ts'
import { deleteFaces } from '../photos/opted-out-queries.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import { facesOf } from './hide-faces.ts'
import { isDue, optOutsToEnd, setState } from './opt-out-queries.ts'

const AT_ONCE = 100

/** Makes those opt-outs permanent that nobody has taken back within 72 hours, or before a letter has told the owner:
 *  deletes their faces, and sends the jobs that remove them from their engine. Only the places of the faces stay, so that
 *  they do not come back when their photos are indexed again. May be repeated. */
export async function makeOptOutsPermanent({ db, jobs }: { db: Db; jobs: JobSender }): Promise<void> {
  for (;;) {
    const due = await optOutsToEnd(db, AT_ONCE)
    for (const { id, album_id: albumId } of due)
      await withAlbum(db, albumId, async (trx, album) => {
        if (!album || !(await isDue(trx, id))) return
        // Before it is permanent, because the faces of permanent ones count as deleted.
        const faceIds = await facesOf(trx, id)
        // Guests and owners read when it was.
        if (!(await setState(trx, id, { from: ['hidden'], to: 'permanent', seconds: 0 }))) return
        await deleteFaces(trx, faceIds)
        if (faceIds.length > 0) await jobs.send(trx, queues.removeFaces, [{ albumId, faceIds }])
      })
    if (due.length < AT_ONCE) return
  }
}
