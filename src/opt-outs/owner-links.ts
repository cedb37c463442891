import { idOfLetterToken, invalidLetterLink, isLetterTokenFor, letterToken } from '../albums/letter-token.ts'
import { findAlbum } from '../albums/queries.ts'
import { PAGES } from '../contract/pages.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Album, OptOut } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { findOptOut } from './opt-out-queries.ts'

type Owned = Pick<Album, 'id' | 'email' | 'owner_key_version'>

/** The page with the opt-outs of an album, on which the owner revokes them, or says yes or no. All tokens are behind the
 *  `#`, where no server sees them. */
export function optOutsLink(keyring: Keyring, siteUrl: string, album: Owned): string {
  return `${siteUrl}${PAGES.optOuts.path}#${letterToken(keyring, album.id, listClaim(album))}`
}

/** The page on which the owner answers a guest who wants photos to be hidden. The answer of the link is marked there, and
 *  the owner confirms it: programs that check the links of a letter open them, too. */
export function hideLinks(keyring: Keyring, siteUrl: string, album: Owned, optOutId: string) {
  const token = letterToken(keyring, optOutId, hideClaim(album, optOutId))
  const page = `${siteUrl}${PAGES.hidePhotos.path}`
  return { yes: `${page}#yes=${token}`, no: `${page}#no=${token}` }
}

interface Deps {
  db: Db | Trx
  keyring: Keyring
}

/** The album whose opt-outs a token is for.
 *  @throws AppError NOT_FOUND when the token is forged, is for a former owner, or the album has been erased */
export async function findAlbumOfOptOuts({ db, keyring }: Deps, token: string): Promise<Album> {
  const album = await findAlbum(db, { id: idOfLetterToken(token) })
  if (!album || !isLinkOfOptOuts(keyring, token, album)) throw invalidLetterLink()
  return album
}

/** Whether a token is for the opt-outs of this album and for its present owner. */
export const isLinkOfOptOuts = (keyring: Keyring, token: string, album: Owned) =>
  isLetterTokenFor(keyring, token, listClaim(album))

/** The opt-out whose photos a token is for.
 *  @throws AppError NOT_FOUND, also when the guest has taken the request back */
export async function findHideRequest(
  { db, keyring }: Deps,
  token: string,
): Promise<{ optOut: OptOut; album: Album }> {
  const optOut = await findOptOut(db, idOfLetterToken(token))
  const album = optOut?.photos_to_hide && (await findAlbum(db, { id: optOut.album_id }))
  if (!album || !isLetterTokenFor(keyring, token, hideClaim(album, optOut.id))) throw invalidLetterLink()
  return { optOut, album }
}

/** They include the address and the version of the owner's key, so that no token works for another owner. */
const ownerOf = ({ email, owner_key_version }: Owned) => `${email} ${owner_key_version}`
const listClaim = (album: Owned) => `opt-outs ${album.id} ${ownerOf(album)}`
const hideClaim = (album: Owned, optOutId: string) => `hide ${optOutId} ${ownerOf(album)}`
