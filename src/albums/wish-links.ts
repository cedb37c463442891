import { PAGES } from '../contract/pages.ts'
import type { Db } from '../database/client.ts'
import type { Album, TakeOut } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { idOfLetterToken, invalidLetterLink, isLetterTokenFor, letterToken } from './letter-token.ts'
import { findAlbum } from './queries.ts'
import { findTakeOut } from './take-out-queries.ts'

/** The page on which the owner answers a guest's wish. The answer of the link is marked there, and the owner confirms it:
 *  programs that check the links of a letter open them, too. The token is behind the `#`, where no server sees it. */
export function wishLinks(keyring: Keyring, siteUrl: string, album: Pick<Album, 'email'>, takeOutId: string) {
  const token = letterToken(keyring, takeOutId, claimOf(album, takeOutId))
  const page = `${siteUrl}${PAGES.hidePhotos.path}`
  return { yes: `${page}#yes=${token}`, no: `${page}#no=${token}` }
}

/** The wish that a token was made for.
 *  @throws AppError NOT_FOUND when the token is forged, or the album has been erased */
export async function findWishByToken(
  { db, keyring }: { db: Db; keyring: Keyring },
  token: string,
): Promise<{ takeOut: TakeOut; album: Album }> {
  const takeOut = await findTakeOut(db, idOfLetterToken(token))
  const album = takeOut && (await findAlbum(db, { id: takeOut.album_id }))
  if (!album || !isLetterTokenFor(keyring, token, claimOf(album, takeOut.id))) throw invalidLetterLink()
  return { takeOut, album }
}

/** It includes the address, so that a token does not work for another address. */
const claimOf = ({ email }: Pick<Album, 'email'>, takeOutId: string) => `hide ${takeOutId} ${email}`
