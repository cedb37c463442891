import { ownerLink } from '../contract/owner-link.ts'
import { PAGES } from '../contract/pages.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { ownerAddressHashes } from '../mail/recipients.ts'
import {
  idOfLetterToken,
  invalidLetterLink,
  isLetterToken,
  isLetterTokenFor,
  letterToken,
  type Refusal,
  readRefusal,
  refusalToken,
} from './letter-token.ts'
import { findAlbum } from './queries.ts'

type Recipient = Pick<Album, 'id' | 'slug' | 'email' | 'owner_key_version'>

/** The addresses in a letter to an album's owner. Tokens are behind the `#`, where no server sees them, except in
 *  `stopUrl`: mail programs call that one themselves (RFC 8058). Owners may pass the link to the album on, so its token must not
 *  end letters. */
export function letterLinks(keyring: Keyring, siteUrl: string, album: Recipient) {
  return {
    /** The album. Opening it confirms the address. */
    open: `${siteUrl}/album/${album.slug}#letter=${letterToken(keyring, album.id, claimOf(album))}`,
    /** The same, which confirms nothing. */
    plain: `${siteUrl}/album/${album.slug}`,
    /** The album, as its organiser. Only a letter to a confirmed address has it. */
    owner: siteUrl + ownerLink(album.slug, letterToken(keyring, album.id, ownClaimOf(album))),
    ...stopLinks(keyring, siteUrl, album),
  }
}

/** The addresses that end an album's letters to one address. They stay valid when the owner key or the address changes: all
 *  that they do is to keep letters from that address, and no owner may take that from its reader. */
export function stopLinks(keyring: Keyring, siteUrl: string, { id, email }: Pick<Album, 'id' | 'email'>) {
  const [addressHash] = ownerAddressHashes(keyring, id, email)
  const token = refusalToken(keyring, 'album', { id, addressHash })
  const page = `${siteUrl}${PAGES.stopLetters.path}`
  return {
    /** The page with the button that ends the letters. */
    stop: `${page}#${token}`,
    /** A POST to it ends the letters at once. */
    stopUrl: `${page}?token=${token}`,
  }
}

/** The album and the address whose letters a token ends.
 *  @throws AppError NOT_FOUND when the token is forged or made for something else */
export function readStopToken(keyring: Keyring, token: string): Refusal {
  const refusal = readRefusal(keyring, 'album', token)
  if (!refusal) throw invalidLetterLink()
  return refusal
}

/** The album whose address a token confirms.
 *  @throws AppError NOT_FOUND when the token is forged or made for something else, the album has another address or owner
 *  key, or it has been erased */
export async function findAlbumToConfirm(
  { db, keyring }: { db: Db; keyring: Keyring },
  token: string,
): Promise<Album> {
  const album = await findAlbum(db, { id: idOfLetterToken(token) })
  if (!album || !isLetterTokenFor(keyring, token, claimOf(album))) throw invalidLetterLink()
  return album
}

/** The album that the private link of a letter opens for its owner, or the key of a browser that had lost its own. The
 *  service stores only a hash of the owner key, so a letter has a key of its own. It ends with the owner key, with the address, and when its reader says "This was not me".
 *  @returns undefined for a key that opens none */
export async function findAlbumByLetterKey(
  { db, keyring }: { db: Db; keyring: Keyring },
  key: string,
): Promise<Album | undefined> {
  if (!isLetterToken(key)) return undefined
  const album = await findAlbum(db, { id: idOfLetterToken(key) })
  if (album && isLetterTokenFor(keyring, key, browserClaimOf(album))) return album
  if (!album?.address_confirmed_at || album.letters_ended_at) return undefined
  return isLetterTokenFor(keyring, key, ownClaimOf(album)) ? album : undefined
}

/** A key for a browser with a session of the owner, in place of the owner key: it has lost that one. It ends with the owner key
 *  only. No letter has it, so it does not depend on who reads letters. */
export function browserKey(keyring: Keyring, album: Pick<Album, 'id' | 'owner_key_version'>): string {
  return letterToken(keyring, album.id, browserClaimOf(album))
}

const browserClaimOf = ({ id, owner_key_version }: Pick<Album, 'id' | 'owner_key_version'>) =>
  `browser ${id} ${owner_key_version}`

const ownClaimOf = ({ id, email, owner_key_version }: Recipient) => `own ${id} ${owner_key_version} ${email}`

/** The token works for one address and one owner key only, so it ends with the rights of a former owner. */
const claimOf = ({ id, email, owner_key_version }: Recipient) => `confirm ${id} ${owner_key_version} ${email}`
