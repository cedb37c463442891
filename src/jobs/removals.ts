import { z } from 'zod'
import { clearEngine as clear } from '../albums/reindex.ts'
import type { AppContext } from '../context.ts'
import { ENGINES } from '../database/schema.ts'
import { facesIn } from '../faces/both-engines.ts'
import { engineOf } from '../faces/engine-queries.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { removeFiles } from '../uploads/delete-photos.ts'
import { defineQueue } from './define-queue.ts'

/** Removes faces from their engine that no search may show any more: those of erased opt-outs. */
export const removeFaces = defineQueue({
  name: 'remove-faces',
  payload: z.object({ albumId: z.uuid(), faceIds: z.array(z.uuid()) }),
  handle: (deps, { albumId, faceIds }) =>
    remove(deps, albumId, (index) => index.removeFaces(albumId, faceIds)),
})

/** Removes the files and the faces of deleted photos. */
export const removePhotos = defineQueue({
  name: 'remove-photos',
  payload: z.object({ albumId: z.uuid(), photoIds: z.array(z.uuid()), hashes: z.array(z.string()) }),
  async handle(deps, { albumId, photoIds, hashes }) {
    await removeFiles(deps, albumId, hashes)
    await remove(deps, albumId, (index) => index.removePhotos(albumId, photoIds))
  },
})

/** Removes an album's faces from the engine that has indexed it before. */
export const clearEngine = defineQueue({
  name: 'clear-engine',
  payload: z.object({ albumId: z.uuid(), engine: z.enum(ENGINES) }),
  handle: (deps, { albumId, engine }) => clear(deps, albumId, engine),
})

/** The faces of an erased album are removed with it, and all faces in an engine before this one with `clearEngine`. */
async function remove(
  deps: AppContext,
  albumId: string,
  work: (index: FaceIndex) => Promise<void>,
): Promise<void> {
  const engine = await engineOf(deps.db, albumId)
  if (engine) await work(await facesIn(deps, engine))
}
