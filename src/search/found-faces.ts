import { OPT_OUT_MAX_FACES } from '../contract/opt-outs.ts'
import type { Album } from '../database/schema.ts'
import { uuidOf } from '../database/uuid.ts'
import { AppError } from '../errors.ts'
import { type Keyring, SIGNATURE_BYTES } from '../keyring.ts'

/** The faces that a search has surely found, as a text for the client to keep. What a search has found is stored nowhere.
 *  The text is signed, so a client cannot name other faces. It gives no right: the call that takes it asks for the right
 *  to the album. */

const LIFETIME_S = 3_600
const ID_BYTES = 16
const EXPIRY_BYTES = 4

type Searched = Pick<Album, 'id' | 'password_version'>

export const invalidFaces = () =>
  new AppError('BAD_REQUEST', 'This list of faces is not from a search here. Please search again.')
export const facesExpired = () =>
  new AppError('BAD_REQUEST', 'Your search was too long ago. Please search again.')

/** @param faceIds the best match first; only so many as one call can opt out are kept
 *  @param now ms since 1970 */
export function foundFaces(keyring: Keyring, album: Searched, faceIds: string[], now = Date.now()): string {
  const ids = faceIds.slice(0, OPT_OUT_MAX_FACES)
  const list = Buffer.alloc(EXPIRY_BYTES + ids.length * ID_BYTES)
  list.writeUInt32BE(Math.floor(now / 1000) + LIFETIME_S)
  for (const [index, id] of ids.entries())
    list.write(id.replaceAll('-', ''), EXPIRY_BYTES + index * ID_BYTES, 'hex')
  return Buffer.concat([keyring.sign('found-faces', prefixOf(album), list), list]).toString('base64url')
}

/** The ids of the faces.
 *  @param faces an untrusted text
 *  @throws AppError BAD_REQUEST when no search in this album gave it, or an hour ago */
export function facesFound(keyring: Keyring, album: Searched, faces: string, now = Date.now()): string[] {
  const bytes = Buffer.from(faces, 'base64url')
  const [signature, list] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)]
  if (!keyring.isSigned('found-faces', signature, prefixOf(album), list)) throw invalidFaces()
  if (now / 1000 >= list.readUInt32BE()) throw facesExpired()
  return Array.from({ length: (list.length - EXPIRY_BYTES) / ID_BYTES }, (_, index) =>
    uuidOf(list, EXPIRY_BYTES + index * ID_BYTES),
  )
}

const prefixOf = ({ id, password_version }: Searched) => `${id} ${password_version} `
