import { z } from 'zod'
import { removeRemains } from '../albums/erase.ts'
import { type FoundRemains, recordRemains } from '../albums/erasure-queries.ts'
import type { AppContext } from '../context.ts'
import { ENGINES } from '../database/schema.ts'
import { closeQuietRounds as closeRounds } from '../uploads/finish.ts'
import { definePeriodicQueue, defineQueue } from './define-queue.ts'

/** How long a run of the job deletes rows, and how long files. Then it is the turn of other albums. */
const SLICE_MS = 3_000

/** Deletes the rows, files, faces and letters of an erased album, until nothing is found, and records that. */
export const eraseAlbum = defineQueue({
  name: 'erase-album',
  payload: z.object({ albumId: z.uuid(), engines: z.array(z.enum(ENGINES)), letters: z.array(z.uuid()) }),
  async handle(deps, erased) {
    const found = await removeRemains(deps, erased, SLICE_MS)
    if (found) await record(deps, erased.albumId, found)
    else await deps.db.transaction().execute((trx) => deps.jobs.send(trx, 'erase-album', [erased]))
  },
})

/** @throws Error when something remains, or while a face engine is unavailable */
async function record(deps: AppContext, albumId: string, found: FoundRemains): Promise<void> {
  await recordRemains(deps.db, albumId, found)
  const remaining = found.rowsRemaining + found.filesRemaining + found.facesRemaining
  if (remaining > 0) throw new Error(`${remaining} rows, files and faces of an erased album remain`)
  if (found.isEngineUnavailable)
    throw new Error('A face engine that may have faces of an erased album is currently unavailable')
}

/** Ends the upload rounds of clients that stopped without saying so. */
export const closeQuietRounds = definePeriodicQueue('close-quiet-rounds', '* * * * *', (deps) =>
  closeRounds(deps),
)
