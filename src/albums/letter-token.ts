import { uuidOf } from '../database/uuid.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'

/** An id and a signature, as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const ID_BYTES = 16

export const invalidLetterLink = () => new AppError('NOT_FOUND', 'This link is not valid')

/** The token in a link of a letter. It shows its id and hides its claim.
 *  @param id a UUID
 *  @param claim what the token allows, for which id, and to whom */
export function letterToken(keyring: Keyring, id: string, claim: string): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  return Buffer.concat([bytes, keyring.sign('letter-link', claim)]).toString('base64url')
}

/** The id of a token, which may be forged.
 *  @throws AppError NOT_FOUND when the text does not have the form of a token */
export function idOfLetterToken(token: string): string {
  if (!TOKEN.test(token)) throw invalidLetterLink()
  return uuidOf(Buffer.from(token, 'base64url'))
}

/** Whether the service has made the token for this claim. */
export function isLetterTokenFor(keyring: Keyring, token: string, claim: string): boolean {
  return keyring.isSigned('letter-link', Buffer.from(token, 'base64url').subarray(ID_BYTES), claim)
}
