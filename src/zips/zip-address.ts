import { uuidOf } from '../database/uuid.ts'
import { type Keyring, SIGNATURE_BYTES } from '../keyring.ts'

/** A part of a zip, as its address says it. All bytes of the part follow from this and the photos' rows. */
export interface ZipPart {
  /** Photos of one album, each with the number that makes its name unique in all parts (see same-names.ts). */
  photos: { id: string; number: number }[]
  passwordVersion: number
  /** Of the owner for whom it was made; 0 for a guest. */
  ownerKeyVersion: number
  /** When the address ends, in seconds since 1970. */
  expires: number
  /** Which of how many parts it is, from 1. */
  place: number
  of: number
  /** The submission with whose results the address ends. */
  submissionId?: string | undefined
}

const ID_BYTES = 16
/** An id and a number. */
const PHOTO_BYTES = ID_BYTES + 2
const HEADER_BYTES = 18
/** Its id is all that a visitor needs to see the results, so an address only has it encrypted. */
const SUBMISSION = 'submission'

/** The part as a text for its address. Nothing of a zip is stored: the address is the list. Signed, so that
 *  nobody makes an address of photos that they have not been given. The same part has the same text, unless it ends with
 *  a submission. */
export function zipToken(keyring: Keyring, part: ZipPart): string {
  const { photos, passwordVersion, ownerKeyVersion, expires, place, of, submissionId } = part
  const said = Buffer.alloc(HEADER_BYTES + photos.length * PHOTO_BYTES)
  said.writeUInt32BE(expires, 0)
  said.writeUInt32BE(passwordVersion, 4)
  said.writeUInt16BE(place, 8)
  said.writeUInt16BE(of, 10)
  said.writeUInt16BE(photos.length, 12)
  said.writeUInt32BE(ownerKeyVersion, 14)
  for (const [index, { id, number }] of photos.entries()) {
    const at = HEADER_BYTES + index * PHOTO_BYTES
    said.write(id.replaceAll('-', ''), at, 'hex')
    said.writeUInt16BE(number, at + ID_BYTES)
  }
  const ends = submissionId === undefined ? [] : [keyring.encrypt('zip', submissionId, SUBMISSION)]
  const all = Buffer.concat([said, ...ends])
  return Buffer.concat([keyring.sign('zip', 'address ', all), all]).toString('base64url')
}

/** @param token an untrusted text
 *  @returns undefined when it is not one of ours */
export function partOfToken(keyring: Keyring, token: string): ZipPart | undefined {
  const bytes = Buffer.from(token, 'base64url')
  const [signature, said] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)]
  if (!keyring.isSigned('zip', signature, 'address ', said)) return undefined
  const photos = said.readUInt16BE(12)
  const ends = said.subarray(HEADER_BYTES + photos * PHOTO_BYTES)
  return {
    expires: said.readUInt32BE(0),
    passwordVersion: said.readUInt32BE(4),
    ownerKeyVersion: said.readUInt32BE(14),
    place: said.readUInt16BE(8),
    of: said.readUInt16BE(10),
    submissionId: ends.length > 0 ? keyring.decrypt('zip', ends, SUBMISSION) : undefined,
    photos: Array.from({ length: photos }, (_, index) => {
      const at = HEADER_BYTES + index * PHOTO_BYTES
      return { id: uuidOf(said, at), number: said.readUInt16BE(at + ID_BYTES) }
    }),
  }
}

/** The name of a part as a file.
 *  @param slug the album's */
export function zipFilename(slug: string, { place, of }: Pick<ZipPart, 'place' | 'of'>): string {
  return of > 1 ? `${slug}-${place}-of-${of}.zip` : `${slug}.zip`
}
