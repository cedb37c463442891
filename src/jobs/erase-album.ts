import { removeRemains } from '../albums/erase.ts'
import { ATTEMPTS_UNTIL_ENGINE_IS_LOST, warnOfLeftovers } from '../albums/move.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

/** Removes the files, faces and letters of an erased album, until nothing is found. */
export const eraseAlbum = defineHandler(queues.eraseAlbum, {
  async handle(deps, erased, { attempt }) {
    const { rowsRemaining, filesRemaining, facesRemaining, isFormerUnavailable } = await removeRemains(
      deps,
      erased,
    )
    const remaining = rowsRemaining + filesRemaining + facesRemaining
    if (remaining > 0) throw new Error(`${remaining} rows, files and faces of an erased album remain`)
    if (!isFormerUnavailable) return
    const { engine } = deps.formerFaces
    if (attempt < ATTEMPTS_UNTIL_ENGINE_IS_LOST)
      throw new Error(`Faces of an erased album are still in ${engine}, which is currently unavailable`)
    warnOfLeftovers(deps.log, erased.albumId, engine)
  },
})
