import { facesIn } from '../faces/both-engines.ts'
import { engineOf } from '../faces/engine-queries.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { removeFiles } from '../photos/remove-deleted.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler, type JobDeps } from './define-handler.ts'

/** Removes faces from their engine that no search may show any more: those of erased opt-outs. */
export const removeFaces = defineHandler(queues.removeFaces, {
  handle: (deps, { albumId, faceIds }) =>
    remove(deps, albumId, (index) => index.removeFaces(albumId, faceIds)),
})

/** Removes the files and the faces of deleted photos. */
export const removePhotos = defineHandler(queues.removePhotos, {
  async handle(deps, { albumId, photoIds }) {
    await removeFiles(deps, photoIds)
    await remove(deps, albumId, (index) => index.removePhotos(albumId, photoIds))
  },
})

/** The faces of an erased album are removed with it, and all faces in an engine before this one with `clearEngine`. */
async function remove(
  deps: JobDeps,
  albumId: string,
  work: (index: FaceIndex) => Promise<void>,
): Promise<void> {
  const engine = await engineOf(deps.db, albumId)
  if (engine) await work(await facesIn(deps, engine))
}
