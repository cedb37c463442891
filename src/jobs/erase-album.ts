import { z } from 'zod'
import { removeRemains } from '../albums/erase.ts'
import { defineQueue } from './define-queue.ts'

/** Removes the files and faces of an erased album, until nothing is found. */
export const eraseAlbum = defineQueue({
  name: 'erase-album',
  payload: z.object({ albumId: z.uuid() }),
  async handle(deps, { albumId }) {
    const { rowsRemaining, filesRemaining, facesRemaining } = await removeRemains(deps, albumId)
    const remaining = rowsRemaining + filesRemaining + facesRemaining
    if (remaining > 0) throw new Error(`Of an erased album ${remaining} things remain`)
  },
})
