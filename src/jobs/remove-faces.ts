import { ATTEMPTS_UNTIL_ENGINE_IS_LOST, warnOfLeftovers } from '../albums/move.ts'
import { removeFromEngines } from '../opt-outs/make-permanent.ts'
import { forgetErased } from '../queues/forget-erased.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

/** Removes faces from the engines that no search may show any more: those of permanent opt-outs. */
export const removeFaces = defineHandler(queues.removeFaces, {
  async handle(deps, { albumId, faceIds }, { attempt }) {
    const isDone = await removeFromEngines(deps, albumId, faceIds)
    await deps.db.transaction().execute((trx) => forgetErased(deps.jobs, trx, ['face_descriptors']))
    if (isDone) return
    const { engine } = deps.formerFaces
    if (attempt < ATTEMPTS_UNTIL_ENGINE_IS_LOST)
      throw new Error(`Faces that are to be removed are still in ${engine}, which is currently unavailable`)
    warnOfLeftovers(deps.log, albumId, engine)
  },
})
