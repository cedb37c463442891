import { settleGivenUp, settleIndexed } from '../albums/settle.ts'
import type { EngineName } from '../database/schema.ts'
import { findFacesAgain } from '../photos/index-faces.ts'
import { REINDEX_QUEUES } from '../queues/queues.ts'
import { defineHandler, type Handler } from './define-handler.ts'
import { reasonToGiveUp } from './index-photos.ts'

/** Finds the faces of one photo again, in the same engine or another one. */
const reindexPhotosIn = (engine: EngineName) =>
  defineHandler(REINDEX_QUEUES[engine], {
    engine,
    // Nobody waits for these. The embedded engine takes them when no new photo waits, and Rekognition is asked for a
    // quarter as many.
    work: ({ cores }) =>
      engine === 'embedded' ? { batchSize: cores + 1 } : { batchSize: 4, localConcurrency: 4 },
    async handle(deps, { photoId }, { attempt }) {
      try {
        const result = await findFacesAgain(deps, photoId, attempt > 1)
        if (result) await settleIndexed(deps, result)
      } catch (error) {
        const reason = reasonToGiveUp(error, attempt)
        if (!reason) throw error
        deps.log.warn({ photoId, engine, attempt, err: error }, 'A photo cannot be moved and keeps its faces')
        await settleGivenUp(deps, photoId, { engine, reason })
      }
    },
  })

export const reindexPhotos: Record<EngineName, Handler> = {
  embedded: reindexPhotosIn('embedded'),
  rekognition: reindexPhotosIn('rekognition'),
}
