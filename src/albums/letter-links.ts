import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { uuidOf } from '../database/uuid.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import { findAlbum } from './queries.ts'

/** What a token of a letter allows: to confirm the address, or to end the letters to it. The link to the album is
 *  passed on to guests, so its token must not end letters. */
export type LetterTokenUse = 'confirm' | 'stop'

type Recipient = Pick<Album, 'id' | 'slug' | 'email'>

/** The album's id and half of an HMAC-SHA-256, as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const ID_BYTES = 16
/** 128 bits cannot be guessed, and make the address half as long. */
const MAC_BYTES = 16

/** The addresses in a letter. Tokens are behind the `#`, where no server sees them, except in `stopUrl`: mail programs
 *  call that one themselves (RFC 8058). */
export function letterLinks(keyring: Keyring, siteUrl: string, album: Recipient) {
  const stop = tokenFor(keyring, 'stop', album)
  return {
    /** The album. Opening it confirms the address. */
    open: `${siteUrl}/album/${album.slug}#letter=${tokenFor(keyring, 'confirm', album)}`,
    /** The same, which confirms nothing. */
    plain: `${siteUrl}/album/${album.slug}`,
    /** The page with the button that ends the letters. */
    stop: `${siteUrl}/stop-letters#${stop}`,
    /** A POST to it ends the letters at once. */
    stopUrl: `${siteUrl}/stop-letters?token=${stop}`,
  }
}

export const invalidLetterLink = () => new AppError('NOT_FOUND', 'This link is not valid')

/** The album that a token was made for.
 *  @throws AppError NOT_FOUND when the token is forged or made for something else, or the album has been erased */
export async function findAlbumByToken(
  { db, keyring }: { db: Db; keyring: Keyring },
  use: LetterTokenUse,
  token: string,
): Promise<Album> {
  if (!TOKEN.test(token)) throw invalidLetterLink()
  const bytes = Buffer.from(token, 'base64url')
  const album = await findAlbum(db, { id: uuidOf(bytes) })
  const mac = bytes.subarray(ID_BYTES)
  const isGenuine =
    album && keyring.keys('letter-link').some((key) => timingSafeEqual(mac, macOf(key, use, album)))
  if (!isGenuine) throw invalidLetterLink()
  return album
}

function tokenFor(keyring: Keyring, use: LetterTokenUse, album: Recipient): string {
  const id = Buffer.from(album.id.replaceAll('-', ''), 'hex')
  const mac = macOf(keyring.keys('letter-link')[0]!, use, album)
  return Buffer.concat([id, mac]).toString('base64url')
}

/** It includes the address, so that a token is worth nothing for another one. */
function macOf(key: KeyObject, use: LetterTokenUse, { id, email }: Recipient): Buffer {
  return createHmac('sha256', key).update(`${use} ${id} ${email}`).digest().subarray(0, MAC_BYTES)
}
