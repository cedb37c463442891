import { PAGES } from '../contract/pages.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { idOfLetterToken, invalidLetterLink, isLetterTokenFor, letterToken } from './letter-token.ts'
import { findAlbum } from './queries.ts'

/** What a token of a letter allows: to confirm the address, or to end the letters to it. The link to the album is
 *  passed on to guests, so its token must not end letters. */
export type LetterTokenUse = 'confirm' | 'stop'

type Recipient = Pick<Album, 'id' | 'slug' | 'email'>

/** The addresses in a letter. Tokens are behind the `#`, where no server sees them, except in `stopUrl`: mail programs
 *  call that one themselves (RFC 8058). */
export function letterLinks(keyring: Keyring, siteUrl: string, album: Recipient) {
  const stop = tokenFor(keyring, 'stop', album)
  const stopPage = `${siteUrl}${PAGES.stopLetters.path}`
  return {
    /** The album. Opening it confirms the address. */
    open: `${siteUrl}/album/${album.slug}#letter=${tokenFor(keyring, 'confirm', album)}`,
    /** The same, which confirms nothing. */
    plain: `${siteUrl}/album/${album.slug}`,
    /** The page with the button that ends the letters. */
    stop: `${stopPage}#${stop}`,
    /** A POST to it ends the letters at once. */
    stopUrl: `${stopPage}?token=${stop}`,
  }
}

/** The album that a token was made for.
 *  @throws AppError NOT_FOUND when the token is forged or made for something else, or the album has been erased */
export async function findAlbumByToken(
  { db, keyring }: { db: Db; keyring: Keyring },
  use: LetterTokenUse,
  token: string,
): Promise<Album> {
  const album = await findAlbum(db, { id: idOfLetterToken(token) })
  if (!album || !isLetterTokenFor(keyring, token, claimOf(use, album))) throw invalidLetterLink()
  return album
}

function tokenFor(keyring: Keyring, use: LetterTokenUse, album: Recipient): string {
  return letterToken(keyring, album.id, claimOf(use, album))
}

/** It includes the address, so that a token does not work for another address. */
const claimOf = (use: LetterTokenUse, { id, email }: Recipient) => `${use} ${id} ${email}`
