import { crc32 } from 'node:zlib'
import type { Metadata } from 'sharp'
import { type CameraTime, cameraTime, exifSegment, exifThatSays } from '../contract/camera-time.ts'

/** When a photo was taken.
 *  @param header of the file that was sent */
export const timeIn = ({ exif, xmp }: Metadata): CameraTime | undefined => cameraTime(exif, xmp?.toString())

/** A photo for guests with the time at which it was taken, so that their phones sort it by that time. sharp would take over
 *  the original's thumbnail, too, which may show what was cut off.
 *  @param photo a JPEG or PNG without metadata
 *  @param header of the file that it was made from. Nothing else of it is taken over */
export function withTimeForGuests(photo: Buffer, header: Metadata): Buffer {
  const time = timeIn(header)
  if (!time) return photo
  const isPng = photo.toString('latin1', 1, 4) === 'PNG'
  const place = isPng ? AFTER_PNG_HEADER : afterJfif(photo)
  const part = isPng ? pngChunk('eXIf', exifThatSays(time)) : exifSegment(time)
  return Buffer.concat([photo.subarray(0, place), part, photo.subarray(place)])
}

/** The signature, and the first chunk, whose content has 13 bytes. */
const AFTER_PNG_HEADER = 8 + 12 + 13

/** Where something can be put in front of all segments but the first one, which has to stay the first (T.871). */
const afterJfif = (jpeg: Buffer) => (jpeg[3] === 0xe0 ? 4 + jpeg.readUInt16BE(4) : 2)

function pngChunk(type: string, content: Uint8Array): Buffer {
  const checked = Buffer.concat([Buffer.from(type), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(checked))
  return Buffer.concat([length, checked, check])
}
