import { settleGivenUp, settleIndexed } from '../albums/settle.ts'
import { hasCode } from '../errors.ts'
import { findFacesOfPhoto } from '../photos/index-faces.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

/** If the engine fails this often on one photo, the photo counts as the cause. */
const ATTEMPTS = 5

/** Finds the faces of one photo. */
export const indexPhotos = defineHandler(queues.indexPhotos, {
  work: ({ cores, engine }) =>
    engine === 'embedded'
      ? // A batch waits for its slowest photo. When all engines but one have a slow photo, the last one still has two
        // batches: it works on one while the other is settled and the next is fetched.
        { batchSize: 2, localConcurrency: 2 * (cores + 1) }
      : // 50 requests a second of 0.6 s each mean that 30 run at once, and as many more wait for their turn.
        // Batches are small because each waits for its slowest photo.
        { batchSize: 4, localConcurrency: 16 },
  async handle(deps, { photoId }, { attempt }) {
    try {
      const result = await findFacesOfPhoto(deps, photoId, attempt > 1)
      if (result) await settleIndexed(deps, result)
    } catch (error) {
      const reason = reasonToGiveUp(error, attempt)
      if (!reason) throw error
      deps.log.warn({ photoId, attempt, err: error }, 'A photo is given up')
      await settleGivenUp(deps, photoId, { engine: deps.faces.engine, reason })
    }
  },
})

/** @returns undefined when the photo is to be tried again */
export function reasonToGiveUp(error: unknown, attempt: number): string | undefined {
  if (hasCode(error, 'UNPROCESSABLE_CONTENT')) return error.message
  const mayPass = hasCode(error, 'SERVICE_UNAVAILABLE')
  if (mayPass || attempt < ATTEMPTS) return undefined
  return 'The photo could not be searched for faces'
}
