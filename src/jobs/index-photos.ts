import { z } from 'zod'
import { hasCode } from '../errors.ts'
import { findFacesOfPhoto } from '../photos/index-faces.ts'
import { settleGivenUp, settleIndexed } from '../uploads/settle.ts'
import { defineQueue } from './define-queue.ts'

/** If the engine fails this often on one photo, the photo counts as the cause. */
const ATTEMPTS = 5
/** Until a photo that waits for another engine is looked at again: the setting may have been changed back. */
const LOOK_AGAIN_SECONDS = 3_600

/** Finds the faces of one photo. A photo of an album that another engine indexes waits until the album is indexed again. */
export const indexPhotos = defineQueue({
  name: 'index-photos',
  payload: z.object({ photoId: z.uuid(), again: z.boolean().optional() }),
  work: ({ cores, engine }) =>
    engine === 'embedded'
      ? // A batch waits for its slowest photo. When all engines but one have a slow photo, the last one still has two
        // batches: it works on one while the other is settled and the next is fetched.
        { batchSize: 2, localConcurrency: 2 * (cores + 1) }
      : // 50 requests a second of 0.6 s each mean that 30 run at once, and as many more wait for their turn.
        // Batches are small because each waits for its slowest photo.
        { batchSize: 4, localConcurrency: 16 },
  async handle(deps, payload, { attempt }) {
    const { photoId, again } = payload
    try {
      const result = await findFacesOfPhoto(deps, photoId, { isRepeat: attempt > 1, again })
      if (result === 'another engine')
        await deps.db
          .transaction()
          .execute((trx) =>
            deps.jobs.send(trx, 'index-photos', [payload], { afterSeconds: LOOK_AGAIN_SECONDS }),
          )
      else if (result) await settleIndexed(deps, result)
    } catch (error) {
      const reason = reasonToGiveUp(error, attempt)
      if (!reason) throw error
      deps.log.warn({ photoId, attempt, err: error }, 'A photo is given up')
      await settleGivenUp(deps, photoId, { engine: deps.faces.engine, reason })
    }
  },
})

/** @returns undefined when the photo is to be tried again */
function reasonToGiveUp(error: unknown, attempt: number): string | undefined {
  if (hasCode(error, 'UNPROCESSABLE_CONTENT')) return error.message
  const mayPass = hasCode(error, 'SERVICE_UNAVAILABLE')
  if (mayPass || attempt < ATTEMPTS) return undefined
  return 'The photo could not be searched for faces'
}
