import { idOfLetterToken, invalidLetterLink, isLetterTokenFor, letterToken } from '../albums/letter-token.ts'
import { findAlbum } from '../albums/queries.ts'
import { PAGES } from '../contract/pages.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'

type Owned = Pick<Album, 'id' | 'email' | 'owner_key_version'>

/** The page with the opt-outs of an album, on which the owner revokes them, and answers who asks to hide photos. The token is
 *  behind the `#`, where no server sees it. */
export function optOutsLink(keyring: Keyring, siteUrl: string, album: Owned): string {
  return `${siteUrl}${PAGES.optOuts.path}#${letterToken(keyring, album.id, listClaim(album))}`
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

/** It includes the address and the version of the owner's key, so that no token works for another owner. */
const listClaim = ({ id, email, owner_key_version }: Owned) => `opt-outs ${id} ${email} ${owner_key_version}`
