import { z } from 'zod'
import { removeRemains } from '../albums/erase.ts'
import { TRIES_FOR_A_LOST_ENGINE, warnOfLeftovers } from '../albums/move.ts'
import { defineQueue } from './define-queue.ts'

/** Removes the files and faces of an erased album, until nothing is found. */
export const eraseAlbum = defineQueue({
  name: 'erase-album',
  payload: z.object({
    albumId: z.uuid(),
    // Jobs of versions that knew no moving have none.
    engines: z.array(z.enum(['embedded', 'rekognition'])).default([]),
  }),
  async handle(deps, { albumId, engines }, { attempt }) {
    const { rowsRemaining, filesRemaining, facesRemaining, isFormerAway } = await removeRemains(
      deps,
      albumId,
      engines,
    )
    const remaining = rowsRemaining + filesRemaining + facesRemaining
    if (remaining > 0) throw new Error(`Of an erased album ${remaining} things remain`)
    if (!isFormerAway) return
    const { engine } = deps.formerFaces
    if (attempt < TRIES_FOR_A_LOST_ENGINE)
      throw new Error(`Faces of an erased album stay in ${engine}, which cannot be had just now`)
    warnOfLeftovers(deps.log, albumId, engine)
  },
})
