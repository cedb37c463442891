import type { Photo } from '../database/schema.ts'

export type PhotoMediaType = Photo['media_type']

export const THUMBNAIL_MEDIA_TYPE = 'image/webp'
export const PREVIEW_MEDIA_TYPE = 'image/jpeg'

/** The most bytes of a photo at full size, as a guest receives it. A photo of 5 MB may have 64 megapixels. */
export const FULL_MAX_BYTES = 20_000_000
/** Four channels of noise, and what PNG adds to them: 0.2% was measured. */
const PNG_BYTES_OF_PIXEL = 4.02

/** The type of a photo at full size. It is the original's, except for a PNG that may be more than FULL_MAX_BYTES: tiny
 *  files can hold millions of pixels. That one becomes a JPEG. */
export function fullMediaType({
  media_type,
  width,
  height,
}: Pick<Photo, 'media_type' | 'width' | 'height'>): PhotoMediaType {
  return width * height * PNG_BYTES_OF_PIXEL > FULL_MAX_BYTES ? 'image/jpeg' : media_type
}

/** As long as the longest signature that `sniff` knows. */
export const HEAD_BYTES = 12

/** The image type by content, not by the file's name.
 *  @param head the first 12 bytes, or more */
export function sniff(head: Buffer): PhotoMediaType | 'image/gif' | 'image/webp' | undefined {
  const latin = head.toString('latin1', 0, HEAD_BYTES)
  if (latin.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (latin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (latin.startsWith('GIF87a') || latin.startsWith('GIF89a')) return 'image/gif'
  if (latin.startsWith('RIFF') && latin.startsWith('WEBP', 8)) return 'image/webp'
  return undefined
}

/** Whether a file is a picture in the iPhone's own format (ISO/IEC 23008-12): a box of files with one of its brands.
 *  @param head the first 12 bytes, or more */
export function isHeic(head: Buffer): boolean {
  return /^....ftyp(hei[cfmsx]|hev[cmsx]|mif1|msf1)/s.test(head.toString('latin1', 0, HEAD_BYTES))
}
