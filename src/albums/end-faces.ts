import type { AppContext } from '../context.ts'
import type { Album } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import { deleteFaces } from '../photos/face-queries.ts'
import { albumsWithOldFaces, changeAlbum } from './queries.ts'

export const facesEnded = () =>
  new AppError('CONFLICT', 'Face search has ended for this album. Its photos are still here.', {
    reason: 'faces_ended',
  })

/** @throws AppError CONFLICT when the faces of the album are gone */
export function requireFaces({ faces_ended_at }: Pick<Album, 'faces_ended_at'>): void {
  if (faces_ended_at) throw facesEnded()
}

/** Deletes the faces of albums to which nothing was added for as many days as their owners have chosen. The photos stay. What
 *  opt-outs keep stays, too, so that nobody who has opted out comes back when an album is indexed again (restartFaces). May be
 *  repeated. */
export async function endFaces({ db, jobs, log }: Pick<AppContext, 'db' | 'jobs' | 'log'>): Promise<void> {
  for (const albumId of await albumsWithOldFaces(db))
    await withAlbum(db, albumId, async (trx, album) => {
      // An upload may have begun meanwhile, or another process may have been here.
      if (!album?.engine || (await albumsWithOldFaces(trx, albumId)).length === 0) return
      const { engine, engines_to_clear } = album
      await deleteFaces(trx, albumId)
      await changeAlbum(trx, albumId, {
        engine: null,
        engines_to_clear: [...engines_to_clear, engine],
        faces_ended_at: new Date(),
      })
      await jobs.send(trx, 'clear-engine', [{ albumId, engine }])
      log.info({ albumId }, 'The faces of an album were deleted, long after its last upload')
    })
}
