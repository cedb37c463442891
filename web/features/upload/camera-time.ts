import { cameraIn } from '../../../src/contract/camera.ts'
import { cameraTime, exifSegment } from '../../../src/contract/camera-time.ts'

/** Bytes. Cameras write what they know about a photo near the beginning of the file. */
const HEAD_BYTES = 1_000_000
/** Of Exif data in a JPEG. */
const EXIF_MAX_BYTES = 65_533

/** What a copy may grow by. */
export const CAMERA_TIME_MAX_BYTES = 250

/** A smaller copy of a photo, with its camera and the time at which that took it. Drawing a picture again loses that.
 *  @param copy a JPEG without Exif data
 *  @param original a JPEG or HEIC; of other files, and without both, the copy stays as it is */
export async function withCameraTime(copy: Blob, original: Blob): Promise<Blob> {
  const head = await original.slice(0, HEAD_BYTES).arrayBuffer()
  const text = new TextDecoder('latin1').decode(head)
  const mark = text.search(/Exif\0\0(?=II\*\0|MM\0\*)/)
  const exif = mark < 0 ? undefined : asBuffer(new Uint8Array(head.slice(mark, mark + EXIF_MAX_BYTES)))
  const time = cameraTime(exif, text)
  const camera = cameraIn(exif)
  if (!time && !camera) return copy
  return new Blob([copy.slice(0, 2), exifSegment(time, camera), copy.slice(2)], { type: copy.type })
}

/** Bytes with what the reader uses of Node's Buffer. */
function asBuffer(bytes: Uint8Array): Buffer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Object.assign(bytes, {
    slice: (start: number, end: number) => asBuffer(bytes.subarray(start, end)),
    toString: (_encoding: string, start = 0, end = bytes.length) =>
      new TextDecoder('latin1').decode(bytes.subarray(start, end)),
    readInt8: (at: number) => view.getInt8(at),
    readUInt16BE: (at: number) => view.getUint16(at),
    readUInt16LE: (at: number) => view.getUint16(at, true),
    readInt16BE: (at: number) => view.getInt16(at),
    readInt16LE: (at: number) => view.getInt16(at, true),
    readUInt32BE: (at: number) => view.getUint32(at),
    readUInt32LE: (at: number) => view.getUint32(at, true),
    readInt32BE: (at: number) => view.getInt32(at),
    readInt32LE: (at: number) => view.getInt32(at, true),
  }) as unknown as Buffer
}
