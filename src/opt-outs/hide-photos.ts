import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { Trx } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { hidePhotos, showPhotos } from '../photos/hidden-queries.ts'
import { hiddenForOthers, recordAllShown, recordAnswer } from './queries.ts'

/** Hides the photos that guests have asked to hide, or shows them again. A photo that is also hidden for another guest stays
 *  hidden. May be repeated.
 *  @param ids of opt-outs. Those that ask for nothing, or no longer, stay as they are
 *  @param isAllowed whether the caller's right still holds, for an album that is locked */
export async function answerHideRequests(
  deps: Pick<AppContext, 'db' | 'keyring'>,
  { id: albumId }: Album,
  { ids, answer }: { ids: string[]; answer: 'hide' | 'show' },
  by: Actor,
  isAllowed: (album: Album) => boolean,
): Promise<void> {
  for (const id of ids)
    await withAlbum(deps.db, albumId, async (trx, album) => {
      if (!album || !isAllowed(album)) return
      const photos = await recordAnswer(trx, albumId, id, answer)
      if (photos) await record(deps, trx, album, by, answer, await change(trx, albumId, id, photos, answer))
    })
}

/** @returns how many photos were hidden or shown */
async function change(
  trx: Trx,
  albumId: string,
  id: string,
  photos: string[],
  answer: 'hide' | 'show',
): Promise<number> {
  if (answer === 'hide') return await hidePhotos(trx, albumId, photos)
  const others = await hiddenForOthers(trx, albumId, id)
  return await showPhotos(
    trx,
    albumId,
    photos.filter((photo) => !others.has(photo)),
  )
}

/** Shows all hidden photos of an album again.
 *  @returns how many there were */
export async function showAllPhotos(
  deps: Pick<AppContext, 'db' | 'keyring'>,
  album: Album,
  by: Actor,
): Promise<number> {
  return await withAlbum(deps.db, album.id, async (trx) => {
    await recordAllShown(trx, album.id)
    const shown = await showPhotos(trx, album.id)
    await record(deps, trx, album, by, 'show', shown)
    return shown
  })
}

async function record(
  { keyring }: Pick<AppContext, 'keyring'>,
  trx: Trx,
  album: Album,
  by: Actor,
  answer: 'hide' | 'show',
  photos: number,
): Promise<void> {
  const event = answer === 'hide' ? 'photos hidden' : 'photos shown again'
  if (photos > 0) await recordEvent({ keyring, db: trx }, { event, album, by })
}
