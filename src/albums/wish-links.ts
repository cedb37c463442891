import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { PAGES } from '../contract/pages.ts'
import type { Db } from '../database/client.ts'
import type { Album, TakeOut } from '../database/schema.ts'
import { uuidOf } from '../database/uuid.ts'
import type { Keyring } from '../keyring.ts'
import { invalidLetterLink } from './letter-links.ts'
import { findAlbum } from './queries.ts'
import { findTakeOut } from './take-out-queries.ts'

/** The wish's id and half of an HMAC-SHA-256, as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const ID_BYTES = 16
/** 128 bits cannot be guessed, and make the address half as long. */
const MAC_BYTES = 16

/** The page on which the owner answers a guest's wish. The answer of the link is marked there, and the owner confirms it:
 *  programs that check the links of a letter open them, too. The token is behind the `#`, where no server sees it. */
export function wishLinks(keyring: Keyring, siteUrl: string, album: Pick<Album, 'email'>, takeOutId: string) {
  const id = Buffer.from(takeOutId.replaceAll('-', ''), 'hex')
  const mac = macOf(keyring.keys('letter-link')[0]!, album, takeOutId)
  const token = Buffer.concat([id, mac]).toString('base64url')
  const page = `${siteUrl}${PAGES.hidePhotos.path}`
  return { yes: `${page}#yes=${token}`, no: `${page}#no=${token}` }
}

/** The wish that a token was made for.
 *  @throws AppError NOT_FOUND when the token is forged, or the album has been erased */
export async function findWishByToken(
  { db, keyring }: { db: Db; keyring: Keyring },
  token: string,
): Promise<{ takeOut: TakeOut; album: Album }> {
  if (!TOKEN.test(token)) throw invalidLetterLink()
  const bytes = Buffer.from(token, 'base64url')
  const takeOut = await findTakeOut(db, uuidOf(bytes))
  const album = takeOut && (await findAlbum(db, { id: takeOut.album_id }))
  const mac = bytes.subarray(ID_BYTES)
  const isGenuine =
    album && keyring.keys('letter-link').some((key) => timingSafeEqual(mac, macOf(key, album, takeOut.id)))
  if (!isGenuine) throw invalidLetterLink()
  return { takeOut, album }
}

/** It includes the address, so that a token is worth nothing for another one. */
function macOf(key: KeyObject, { email }: Pick<Album, 'email'>, takeOutId: string): Buffer {
  return createHmac('sha256', key).update(`hide ${takeOutId} ${email}`).digest().subarray(0, MAC_BYTES)
}
