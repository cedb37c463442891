import { ATTEMPTS_UNTIL_ENGINE_IS_LOST, warnOfLeftovers } from '../albums/move.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { removeFromEngines } from '../opt-outs/erase-opt-outs.ts'
import { removeFiles } from '../photos/remove-deleted.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler, type JobDeps } from './define-handler.ts'

/** Removes faces from the engines that no search may show any more: those of erased opt-outs. */
export const removeFaces = defineHandler(queues.removeFaces, {
  handle: (deps, { albumId, faceIds }, { attempt }) =>
    remove(deps, albumId, attempt, (index) => index.removeFaces(albumId, faceIds)),
})

/** Removes the files and the faces of deleted photos. */
export const removePhotos = defineHandler(queues.removePhotos, {
  async handle(deps, { albumId, photoIds }, { attempt }) {
    await removeFiles(deps, photoIds)
    await remove(deps, albumId, attempt, (index) => index.removePhotos(albumId, photoIds))
  },
})

/** @throws Error while the former engine is unavailable, until it counts as lost */
async function remove(
  deps: JobDeps,
  albumId: string,
  attempt: number,
  work: (index: FaceIndex) => Promise<void>,
): Promise<void> {
  if (await removeFromEngines(deps, albumId, work)) return
  const { engine } = deps.formerFaces
  if (attempt < ATTEMPTS_UNTIL_ENGINE_IS_LOST)
    throw new Error(`Faces that are to be removed are still in ${engine}, which is currently unavailable`)
  warnOfLeftovers(deps.log, albumId, engine)
}
