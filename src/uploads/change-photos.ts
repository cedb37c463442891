import { type OwnedAlbum, withOwnedAlbum } from '../albums/access.ts'
import { requireFaces } from '../albums/end-faces.ts'
import { sendToIndex } from '../albums/reindex.ts'
import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import { shiftClock, waitAgain } from '../photos/change-queries.ts'
import { addToCounters } from './queries.ts'

/** Has the photos that were given up searched for faces again.
 *  @returns how many there are
 *  @throws AppError CONFLICT when the faces of the album have ended */
export async function retryGivenUp(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring'>,
  owned: OwnedAlbum,
  by: Actor,
): Promise<number> {
  return await withOwnedAlbum(deps.db, owned, async (trx, album) => {
    requireFaces(album)
    const photoIds = await waitAgain(trx, album.id)
    if (photoIds.length === 0) return 0
    await addToCounters(trx, album.id, { settled: -photoIds.length })
    await sendToIndex(
      deps.jobs,
      trx,
      photoIds.map((photoId) => ({ photoId })),
    )
    await recordEvent({ ...deps, db: trx }, { event: 'photos tried again', album, by })
    return photoIds.length
  })
}

/** Shifts the clock of a camera, so that its photos take their places in all lists. The files stay as they are, and photos that
 *  are added later are shifted, too.
 *  @param shift.minutes instead of a former shift */
export async function shiftCamera(
  deps: Pick<AppContext, 'db' | 'keyring'>,
  owned: OwnedAlbum,
  shift: { camera: string; minutes: number },
  by: Actor,
): Promise<void> {
  await withOwnedAlbum(deps.db, owned, async (trx, album) => {
    if ((await shiftClock(trx, album.id, shift)) > 0)
      await recordEvent({ ...deps, db: trx }, { event: 'camera clock shifted', album, by })
  })
}
