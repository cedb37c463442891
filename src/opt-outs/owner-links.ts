import { findAlbum } from '../albums/queries.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { invalidLetterLink, isForOwner, readLink } from '../letters/links.ts'

type Owned = Pick<Album, 'id' | 'email' | 'owner_key_version'>

interface Deps {
  db: Db | Trx
  keyring: Keyring
}

/** The album whose opt-outs a token is for.
 *  @throws AppError NOT_FOUND when the token is forged, is for a former owner, or the album has been erased */
export async function findAlbumOfOptOuts({ db, keyring }: Deps, token: string): Promise<Album> {
  const link = readLink(keyring, token, 'optOuts')
  const album = await findAlbum(db, { id: link.id })
  if (!album || !isForOwner(keyring, link, album)) throw invalidLetterLink()
  return album
}

/** Whether a token is for the opt-outs of this album and for its present owner. */
export const isLinkOfOptOuts = (keyring: Keyring, token: string, album: Owned) =>
  isForOwner(keyring, readLink(keyring, token, 'optOuts'), album)
