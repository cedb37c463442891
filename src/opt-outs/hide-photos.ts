import { type OwnedAlbum, withOwnedAlbum } from '../albums/access.ts'
import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { Trx } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { hidePhotos, showPhotos } from '../photos/hidden-queries.ts'
import { hiddenForGuests, recordAllShown, recordAnswer } from './queries.ts'

/** Hides the photos that guests have asked to hide, or shows them again. A photo that is also hidden for another guest stays
 *  hidden. May be repeated.
 *  @param ids of opt-outs. Those that ask for nothing, or no longer, stay as they are
 *  @throws AppError what requireSameOwner throws, also between two of many */
export async function answerHideRequests(
  deps: Pick<AppContext, 'db' | 'keyring'>,
  owned: OwnedAlbum,
  { ids, answer }: { ids: string[]; answer: 'hide' | 'show' },
  by: Actor,
): Promise<void> {
  for (const id of ids)
    await withOwnedAlbum(deps.db, owned, async (trx, album) => {
      const photos = await recordAnswer(trx, album.id, id, answer)
      if (photos) await record(deps, trx, album, by, answer, await change(trx, album.id, id, photos, answer))
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
  const others = await hiddenForGuests(trx, albumId, id)
  return await showPhotos(
    trx,
    albumId,
    photos.filter((photo) => !others.has(photo)),
  )
}

/** Hides photos because their owner wants it, or shows them again. Those that are hidden because a guest has asked stay hidden:
 *  that is answered in the list of opt-outs.
 *  @returns how many were hidden or shown, and how many stay hidden for a guest */
export async function setHidden(
  deps: Pick<AppContext, 'db' | 'keyring'>,
  owned: OwnedAlbum,
  { photoIds, hidden }: { photoIds: string[]; hidden: boolean },
  by: Actor,
): Promise<{ changed: number; stayHidden: number }> {
  return await withOwnedAlbum(deps.db, owned, async (trx, album) => {
    const forGuests = hidden ? new Set<string>() : await hiddenForGuests(trx, album.id)
    const free = photoIds.filter((id) => !forGuests.has(id))
    const changed = await (hidden ? hidePhotos : showPhotos)(trx, album.id, free)
    await record(deps, trx, album, by, hidden ? 'hide' : 'show', changed)
    return { changed, stayHidden: photoIds.length - free.length }
  })
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
