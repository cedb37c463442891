import { findAlbum } from '../albums/queries.ts'
import { countCall, findOrCountWrong } from '../albums/rate-limits.ts'
import type { Actor } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import { HIDE_THUMBS_SHOWN, type OptOutsOutput, type OwnersChange } from '../contract/opt-outs.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { invalidLetterLink, isForOwner, readLink } from '../letters/links.ts'
import { indexedPhotoIds } from '../photos/queries.ts'
import { answerHideRequests } from './hide-photos.ts'
import { stateOf } from './opt-out.ts'
import { optOutsOfAlbum } from './queries.ts'
import { undoOptOuts } from './undo-or-erase.ts'

interface WithToken {
  /** The token of the letter's link. */
  token: string
  /** Where the call comes from. */
  address: string
}

/** The opt-outs of an album, as its owner may see them: numbers and times, and the photos that guests ask to hide.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function listOptOuts(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits' | 'links'>,
  { token, address }: WithToken,
  origin: string,
): Promise<OptOutsOutput> {
  const album = await findOrCountWrong(deps, { address }, () => findAlbumOfOptOuts(deps, token))
  return await listOf(deps, album, origin)
}

/** What the owner decides about opt-outs. Those that were changed meanwhile stay as they are: the answer says what holds.
 *  @throws AppError NOT_FOUND, TOO_MANY_REQUESTS */
export async function answerOptOuts(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'limits' | 'links'>,
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

async function listOf(
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

type Owned = Pick<Album, 'id' | 'email' | 'owner_key_version'>

/** The album whose opt-outs a token is for.
 *  @throws AppError NOT_FOUND when the token is forged, is for a former owner, or the album has been erased */
export async function findAlbumOfOptOuts(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  token: string,
): Promise<Album> {
  const link = readLink(keyring, token, 'optOuts')
  const album = await findAlbum(db, { id: link.id })
  if (!album || !isForOwner(keyring, link, album)) throw invalidLetterLink()
  return album
}

/** Whether a token is for the opt-outs of this album and for its present owner. */
export const isLinkOfOptOuts = (keyring: Keyring, token: string, album: Owned) =>
  isForOwner(keyring, readLink(keyring, token, 'optOuts'), album)
