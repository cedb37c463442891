import type { Album } from '../database/schema.ts'
import { isUuid, uuidOf } from '../database/uuid.ts'
import { AppError } from '../errors.ts'
import { type Keyring, SIGNATURE_BYTES } from '../keyring.ts'

/** The faces that a search asks its caller about, as ids for the client. A confirmed face leads to photos that the selfie
 *  does not find, and the id of a face can be computed from the public id of its photo. So these ids are signed for the
 *  album and the session: nobody can name a face that they were not asked about. The same face has the same signed id in
 *  each search of a session. */

/** Whose search it is. */
export interface Asked {
  album: Pick<Album, 'id' | 'password_version'>
  sessionId: string
  /** The session owns the album. */
  isOwner?: boolean | undefined
}

export const notAsked = () =>
  new AppError(
    'BAD_REQUEST',
    'You can only answer about faces that a search of yours has asked about. Please search again.',
  )

/** @param faceId a uuid */
export function askedFace(keyring: Keyring, asked: Asked, faceId: string): string {
  const id = Buffer.from(faceId.replaceAll('-', ''), 'hex')
  return Buffer.concat([keyring.sign('asked-face', prefixOf(asked), id), id]).toString('base64url')
}

/** What a person has said about faces, with the ids of the engine.
 *  @param answers untrusted texts. `rejected` may also have ids of faces that were found: such a face is only left out
 *  @throws AppError BAD_REQUEST when no search of this session in this album has asked about a face */
export function answeredFaces(
  keyring: Keyring,
  asked: Asked,
  { confirmed = [], rejected = [] }: { confirmed?: string[] | undefined; rejected?: string[] | undefined },
): { confirmed: string[]; rejected: string[] } {
  const idOf = (face: string) => idOfAskedFace(keyring, asked, face)
  return {
    confirmed: confirmed.map(idOf),
    rejected: rejected.map((face) => (isUuid(face) ? face : idOf(face))),
  }
}

function idOfAskedFace(keyring: Keyring, asked: Asked, face: string): string {
  const bytes = Buffer.from(face, 'base64url')
  const [signature, id] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)]
  if (!keyring.isSigned('asked-face', signature, prefixOf(asked), id)) throw notAsked()
  return uuidOf(id)
}

const prefixOf = ({ album, sessionId }: Asked) => `${album.id} ${album.password_version} ${sessionId} `
