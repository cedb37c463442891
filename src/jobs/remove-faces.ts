import { ATTEMPTS_UNTIL_ENGINE_IS_LOST, warnOfLeftovers } from '../albums/move.ts'
import { removeFromEngines } from '../albums/take-out.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

/** Removes the faces of a guest who was taken out from the engines. The call has done it already, unless an engine was
 *  unavailable or the process has ended. */
export const removeFaces = defineHandler(queues.removeFaces, {
  async handle(deps, { albumId, faceIds }, { attempt }) {
    if (await removeFromEngines(deps, albumId, faceIds)) return
    const { engine } = deps.formerFaces
    if (attempt < ATTEMPTS_UNTIL_ENGINE_IS_LOST)
      throw new Error(`Faces that are to be removed are still in ${engine}, which is currently unavailable`)
    warnOfLeftovers(deps.log, albumId, engine)
  },
})
