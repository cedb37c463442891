import { plainGif } from './plain-gif.ts'
import { plainJpeg } from './plain-jpeg.ts'
import { plainPng } from './plain-png.ts'
import { plainWebp } from './plain-webp.ts'

export interface PlainPicture {
  /** The picture with its pixels, a colour profile of a bounded size, and how it is turned. An animation has its first
   *  frame only. */
  bytes: Buffer
  /** The file's Exif data, as it was sent. */
  exif: Buffer | undefined
}

/** A JPEG, PNG, GIF or WEBP without anything that is not needed to show it. libvips and its libraries read everything
 *  else in a file when they open it: a directory of 65 KB that points at itself takes 12 s, texts that are compressed
 *  well take 5 MB to say gigabytes, and an animation of 100,000 frames takes minutes. So every picture of a stranger goes
 *  through here first.
 *
 *  Takes time and memory in proportion to the number of bytes, and never throws. What is damaged stays damaged. Other
 *  files stay as they are. */
export function plainPicture(picture: Uint8Array): PlainPicture {
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength)
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\xff\xd8')) return plainJpeg(bytes)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return plainPng(bytes)
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return plainWebp(bytes)
  if (start.startsWith('GIF')) return { bytes: plainGif(bytes), exif: undefined }
  return { bytes, exif: undefined }
}
