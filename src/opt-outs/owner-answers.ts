import { type OwnedAlbum, requireSameOwner, withOwnedAlbum } from '../albums/access.ts'
import { findAlbum } from '../albums/queries.ts'
import { countCall } from '../albums/rate-limits.ts'
import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import { HIDE_THUMBS_SHOWN, type OptOutsOutput, type OwnersChange } from '../contract/opt-outs.ts'
import type { Trx } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { hidePhotos, showPhotos } from '../photos/change-queries.ts'
import { indexedPhotoIds } from '../photos/queries.ts'
import { stateOf } from './opt-out.ts'
import { hiddenForGuests, optOutsOfAlbum, recordAllShown, recordAnswer } from './queries.ts'
import { undoOptOuts } from './undo-or-erase.ts'

/** What the owner decides about opt-outs. Those that were changed meanwhile stay as they are: the answer says what holds.
 *  @throws AppError TOO_MANY_REQUESTS, and what requireSameOwner throws */
export async function answerOptOuts(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'limits' | 'links'>,
  owned: Album,
  { ids, change }: { ids: string[]; change: OwnersChange },
  by: Actor,
  origin: string,
): Promise<OptOutsOutput> {
  if (change === 'revoke') await undoOptOuts(deps, owned, ids, by, isSameOwner(owned))
  else {
    // Each is an event in the audit log. They are counted apart, so that nobody else has to wait.
    await countCall(deps, 'changeAlbum', { address: `opt-outs of ${owned.id}` })
    await answerHideRequests(deps, owned, { ids, answer: change }, by)
  }
  const album = await findAlbum(deps.db, { id: owned.id })
  requireSameOwner(album, owned)
  return await listOptOuts(deps, album, origin)
}

/** A new owner key ends the right of the former owner, also between two of many. */
const isSameOwner = (owned: OwnedAlbum) => (locked: OwnedAlbum) =>
  locked.owner_key_version === owned.owner_key_version

/** The opt-outs of an album, as its owner may see them: numbers and times, and the photos that guests ask to hide. */
export async function listOptOuts(
  { db, links }: Pick<AppContext, 'db' | 'links'>,
  album: Album,
  origin: string,
): Promise<OptOutsOutput> {
  const optOuts = await optOutsOfAlbum(db, album.id)
  const first = (photos: string[]) => photos.slice(0, HIDE_THUMBS_SHOWN)
  // Hidden photos have no addresses.
  const shown = await indexedPhotoIds(
    db,
    album.id,
    optOuts.flatMap(({ photos_to_hide }) => first(photos_to_hide ?? [])),
  )
  const thumbOf = (id: string) =>
    origin + links.sign(id, album.password_version, undefined, album.owner_key_version).thumbUrl
  return {
    optOuts: optOuts.map((optOut) => ({
      id: optOut.id,
      ...stateOf(optOut),
      hiding: optOut.photos_to_hide && {
        count: optOut.photos_to_hide.length,
        answer: optOut.answer,
        thumbUrls: first(optOut.photos_to_hide)
          .filter((id) => shown.has(id))
          .map(thumbOf),
      },
    })),
  }
}

/** Hides the photos that guests have asked to hide, or shows them again. A photo that is also hidden for another guest stays
 *  hidden. May be repeated.
 *  @param ids of opt-outs. Those that ask for nothing, or no longer, stay as they are
 *  @throws AppError what requireSameOwner throws, also between two of many */
async function answerHideRequests(
  deps: Pick<AppContext, 'db' | 'keyring'>,
  owned: OwnedAlbum,
  { ids, answer }: { ids: string[]; answer: 'hide' | 'show' },
  by: Actor,
): Promise<void> {
  for (const id of ids)
    await withOwnedAlbum(deps.db, owned, async (trx, album) => {
      const photoIds = await recordAnswer(trx, album.id, id, answer)
      if (photoIds) await hideOrShow(deps, trx, album, { photoIds, hidden: answer === 'hide', for: id }, by)
    })
}

/** Hides photos because their owner wants it, or shows them again. Those that are hidden because a guest has asked stay hidden:
 *  that is answered in the list of opt-outs.
 *  @returns how many were hidden or shown, and how many stay hidden for a guest */
export async function setHidden(
  deps: Pick<AppContext, 'db' | 'keyring'>,
  owned: OwnedAlbum,
  photos: { photoIds: string[]; hidden: boolean },
  by: Actor,
): Promise<{ changed: number; stayHidden: number }> {
  return await withOwnedAlbum(deps.db, owned, (trx, album) => hideOrShow(deps, trx, album, photos, by))
}

/** @param photos.for the opt-out that they are hidden or shown for */
async function hideOrShow(
  deps: Pick<AppContext, 'keyring'>,
  trx: Trx,
  album: Album,
  { photoIds, hidden, for: optOutId }: { photoIds: string[]; hidden: boolean; for?: string },
  by: Actor,
): Promise<{ changed: number; stayHidden: number }> {
  const forGuests = hidden ? new Set<string>() : await hiddenForGuests(trx, album.id, optOutId)
  const free = photoIds.filter((id) => !forGuests.has(id))
  const changed = await (hidden ? hidePhotos : showPhotos)(trx, album.id, free)
  await record(deps, trx, album, by, hidden ? 'photos hidden' : 'photos shown again', changed)
  return { changed, stayHidden: photoIds.length - free.length }
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
    await record(deps, trx, album, by, 'photos shown again', shown)
    return shown
  })
}

async function record(
  { keyring }: Pick<AppContext, 'keyring'>,
  trx: Trx,
  album: Album,
  by: Actor,
  event: 'photos hidden' | 'photos shown again',
  photos: number,
): Promise<void> {
  if (photos > 0) await recordEvent({ keyring, db: trx }, { event, album, by })
}
