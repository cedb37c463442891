import { PAGES } from '../contract/pages.ts'
import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { idOfLetterToken, isLetterTokenFor, letterToken } from './letter-token.ts'

type Owned = Pick<Album, 'owner_key_version'>

/** The page with the button that confirms a new address for an album's letters. The token is behind the `#`, where no server
 *  sees it. */
export function addressLink(keyring: Keyring, siteUrl: string, album: Owned, changeId: string): string {
  return `${siteUrl}${PAGES.letterAddress.path}#${letterToken(keyring, changeId, claimOf(album, changeId))}`
}

/** The change that a token is about.
 *  @returns `isFor`: whether the service has made the token for this album
 *  @throws AppError NOT_FOUND when the text does not have the form of a token */
export function readAddressLink(
  keyring: Keyring,
  token: string,
): { changeId: string; isFor: (album: Owned) => boolean } {
  const changeId = idOfLetterToken(token)
  return { changeId, isFor: (album) => isLetterTokenFor(keyring, token, claimOf(album, changeId)) }
}

/** It includes the version of the owner key: a new key ends what a former owner has asked for. */
const claimOf = ({ owner_key_version }: Owned, changeId: string) => `address ${changeId} ${owner_key_version}`
