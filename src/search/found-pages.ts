import { uuidOf } from '../database/uuid.ts'
import { AppError } from '../errors.ts'
import { type Keyring, SIGNATURE_BYTES } from '../keyring.ts'

/** A photo of an album, and how similar its best matching face is (0–100). */
export interface FoundOnPage {
  id: string
  similarity: number
}

const ID_BYTES = 16
/** An id, and a similarity in hundredths. */
const FOUND_BYTES = ID_BYTES + 2

/** The photos of a page that a client may ask for after the search, as a text for it to keep. What a search has found is
 *  stored nowhere. The text is signed, so a client cannot put other photos on a page. It gives no right: the call that
 *  takes it asks for the right to the album. */
export function foundPage(keyring: Keyring, albumId: string, photos: FoundOnPage[]): string {
  const list = Buffer.alloc(photos.length * FOUND_BYTES)
  for (const [index, { id, similarity }] of photos.entries()) {
    list.write(id.replaceAll('-', ''), index * FOUND_BYTES, 'hex')
    list.writeUInt16BE(Math.round(similarity * 100), index * FOUND_BYTES + ID_BYTES)
  }
  return Buffer.concat([keyring.sign('found-page', `${albumId} `, list), list]).toString('base64url')
}

/** The photos of a page.
 *  @param page an untrusted text
 *  @throws AppError BAD_REQUEST when it is no page of this album */
export function photosOnPage(keyring: Keyring, albumId: string, page: string): FoundOnPage[] {
  const bytes = Buffer.from(page, 'base64url')
  const [signature, list] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)]
  if (!keyring.isSigned('found-page', signature, `${albumId} `, list)) throw invalidPage()
  return Array.from({ length: list.length / FOUND_BYTES }, (_, index) => {
    const at = index * FOUND_BYTES
    return { id: uuidOf(list, at), similarity: list.readUInt16BE(at + ID_BYTES) / 100 }
  })
}

export const invalidPage = () => new AppError('BAD_REQUEST', 'This is not a page of this album')
