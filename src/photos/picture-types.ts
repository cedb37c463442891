import type { Photo } from '../database/schema.ts'

export type PhotoMediaType = Photo['media_type']

export const THUMBNAIL_MEDIA_TYPE = 'image/webp'
export const PREVIEW_MEDIA_TYPE = 'image/jpeg'

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
