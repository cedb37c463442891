import { type OwnedAlbum, requireSameOwner } from '../albums/access.ts'
import { findAlbum } from '../albums/queries.ts'
import { countCall } from '../albums/rate-limits.ts'
import type { Actor } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import { HIDE_THUMBS_SHOWN, type OptOutsOutput, type OwnersChange } from '../contract/opt-outs.ts'
import type { Album } from '../database/schema.ts'
import { indexedPhotoIds } from '../photos/queries.ts'
import { answerHideRequests } from './hide-photos.ts'
import { stateOf } from './opt-out.ts'
import { optOutsOfAlbum } from './queries.ts'
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
