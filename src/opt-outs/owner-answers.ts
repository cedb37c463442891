import { countCall, findOrCountWrong, type LimitDeps } from '../albums/rate-limits.ts'
import type { Actor } from '../audit/audit-log.ts'
import { HIDE_THUMBS_SHOWN, type OptOutsOutput, type OwnersChange } from '../contract/opt-outs.ts'
import type { Album } from '../database/schema.ts'
import type { PhotoLinks } from '../photos/links.ts'
import { indexedPhotoIds } from '../photos/queries.ts'
import { answerHideRequests } from './hide-photos.ts'
import { stateOf } from './opt-out.ts'
import { optOutsOfAlbum } from './opt-out-queries.ts'
import { findAlbumOfOptOuts, isLinkOfOptOuts } from './owner-links.ts'
import { type UndoDeps, undoOptOuts } from './undo.ts'

interface WithToken {
  /** The token of the letter's link. */
  token: string
  /** Where the call comes from. */
  address: string
}

type ListDeps = LimitDeps & { links: PhotoLinks }

/** The opt-outs of an album, as its owner may see them: numbers and times, and the photos that guests ask to hide.
 *  @param origin where addresses begin, without a slash at its end
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function listOptOuts(
  deps: ListDeps,
  { token, address }: WithToken,
  origin: string,
): Promise<OptOutsOutput> {
  const album = await findOrCountWrong(deps, { address }, () => findAlbumOfOptOuts(deps, token))
  return await listOf(deps, album, origin)
}

/** What the owner decides about opt-outs. Those that were changed meanwhile stay as they are: the answer says what holds.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function answerOptOuts(
  deps: ListDeps & UndoDeps,
  { token, address, ids, change }: WithToken & { ids: string[]; change: OwnersChange },
  origin: string,
): Promise<OptOutsOutput> {
  const album = await findOrCountWrong(deps, { address }, () => findAlbumOfOptOuts(deps, token))
  const by: Actor = { role: 'owner', address }
  // A new owner key or address ends the right of the former owner, also between two of many.
  const isAllowed = (locked: Album) => isLinkOfOptOuts(deps.keyring, token, locked)
  if (change === 'revoke') await undoOptOuts(deps, album, ids, by, isAllowed)
  else {
    // Each is an event in the audit log. They are counted apart, so that nobody else has to wait.
    await countCall(deps, 'changeAlbum', { address: `opt-outs of ${album.id}` })
    await answerHideRequests(deps, album, { ids, answer: change }, by, isAllowed)
  }
  return await listOf(deps, await findAlbumOfOptOuts(deps, token), origin)
}

async function listOf({ db, links }: ListDeps, album: Album, origin: string): Promise<OptOutsOutput> {
  const optOuts = await optOutsOfAlbum(db, album.id)
  const first = (photos: string[]) => photos.slice(0, HIDE_THUMBS_SHOWN)
  // Hidden photos have no addresses.
  const shown = await indexedPhotoIds(
    db,
    album.id,
    optOuts.flatMap(({ photos_to_hide }) => first(photos_to_hide ?? [])),
  )
  const thumbOf = (id: string) => origin + links.sign(id, album.password_version).thumbUrl
  return {
    displayName: album.display_name,
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
