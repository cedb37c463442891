import { z } from 'zod'
import { settleGivenUp, settleIndexed } from '../albums/settle.ts'
import type { EngineName } from '../database/schema.ts'
import { findFacesAnew } from '../photos/index-faces.ts'
import { defineQueue, type Queue } from './define-queue.ts'
import { reasonToGiveUp } from './index-photos.ts'

/** Finds the faces of one photo again, in another engine or anew. A queue for each engine, worked off by its own
 *  processes. */
const reindexPhotosIn = (engine: EngineName) =>
  defineQueue({
    name: `reindex-photos-${engine}`,
    payload: z.object({ photoId: z.uuid() }),
    engine,
    isExclusive: true,
    // A quarter of what new photos are given: nobody waits for these.
    work: ({ cores }) =>
      engine === 'embedded' ? { batchSize: cores } : { batchSize: 4, localConcurrency: 4 },
    async handle(deps, { photoId }, { attempt }) {
      try {
        const result = await findFacesAnew(deps, photoId, attempt > 1)
        if (result) await settleIndexed(deps, result)
      } catch (error) {
        const reason = reasonToGiveUp(error, attempt)
        if (!reason) throw error
        deps.log.warn({ photoId, engine, attempt, err: error }, 'A photo cannot be moved and keeps its faces')
        await settleGivenUp(deps, photoId, { engine, reason })
      }
    },
  })

export const reindexPhotos: Record<EngineName, Queue> = {
  embedded: reindexPhotosIn('embedded'),
  rekognition: reindexPhotosIn('rekognition'),
}
