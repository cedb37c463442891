import { cameraTime, exifThatSaysWhen } from './exif.ts'
import { afterJfif, exifSegment } from './plain-jpeg.ts'
import { AFTER_PNG_HEADER, exifChunk } from './plain-png.ts'

/** A photo for guests with the time at which it was taken, so that their phones sort it by that time.
 *  @param photo a JPEG or PNG without metadata
 *  @param originalExif the Exif data of the file that it was made from. Nothing else of it is taken over */
export function withTimeForGuests(photo: Buffer, originalExif: Buffer | undefined): Buffer {
  const time = cameraTime(originalExif)
  if (!time) return photo
  const exif = exifThatSaysWhen(time)
  const isPng = photo.toString('latin1', 1, 4) === 'PNG'
  const place = isPng ? AFTER_PNG_HEADER : afterJfif(photo)
  const part = isPng ? exifChunk(exif) : exifSegment(exif)
  return Buffer.concat([photo.subarray(0, place), part, photo.subarray(place)])
}
