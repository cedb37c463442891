import { uuidOf } from '../database/uuid.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'

/** An id and a signature, as base64url; in the longer form with the hash of an address between them. */
const TOKEN = /^(?:[A-Za-z0-9_-]{43}|[A-Za-z0-9_-]{86})$/
const ID_BYTES = 16
const HASH_BYTES = 32

export const invalidLetterLink = () => new AppError('NOT_FOUND', 'This link is not valid')

/** The token in a link of a letter. It shows its id and hides its claim.
 *  @param id a UUID
 *  @param claim what the token allows, for which id, and to whom */
export function letterToken(keyring: Keyring, id: string, claim: string): string {
  return Buffer.concat([bytesOf(id), keyring.sign('letter-link', claim)]).toString('base64url')
}

/** Whether a text has the form of a token. */
export const isLetterToken = (text: string) => TOKEN.test(text)

/** The id of a token, which may be forged.
 *  @throws AppError NOT_FOUND when the text does not have the form of a token */
export function idOfLetterToken(token: string): string {
  if (!isLetterToken(token)) throw invalidLetterLink()
  return uuidOf(Buffer.from(token, 'base64url'))
}

/** Whether the service has made the token for this claim. */
export function isLetterTokenFor(keyring: Keyring, token: string, claim: string): boolean {
  return keyring.isSigned('letter-link', Buffer.from(token, 'base64url').subarray(ID_BYTES), claim)
}

/** What `refusalToken` says. */
export interface Refusal {
  id: string
  /** Under the key of the letter's time. */
  addressHash: Buffer
}

/** The token behind "This was not me". It carries the keyed hash of the address that it was sent to. So it can refuse that
 *  address when nothing else is left of what the letter was about, and it can refuse no other address.
 *  @param use what the id is */
export function refusalToken(keyring: Keyring, use: string, { id, addressHash }: Refusal): string {
  const signature = keyring.sign('letter-link', claimOf(use, id), addressHash)
  return Buffer.concat([bytesOf(id), addressHash, signature]).toString('base64url')
}

/** @returns undefined for a token that the service has not made for this use
 *  @throws AppError NOT_FOUND when the text does not have the form of a token */
export function readRefusal(keyring: Keyring, use: string, token: string): Refusal | undefined {
  const id = idOfLetterToken(token)
  const bytes = Buffer.from(token, 'base64url')
  const addressHash = bytes.subarray(ID_BYTES, ID_BYTES + HASH_BYTES)
  const signature = bytes.subarray(ID_BYTES + HASH_BYTES)
  return keyring.isSigned('letter-link', signature, claimOf(use, id), addressHash)
    ? { id, addressHash }
    : undefined
}

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const claimOf = (use: string, id: string) => `refuse ${use} ${id} `
