import { crc32, deflateSync } from 'node:zlib'

const EXIF_MARK = Buffer.from('Exif\0\0', 'latin1')
/** The most that a segment of a JPEG holds. */
const SEGMENT_BYTES = 65_533
/** Tags of fields that point at a directory: those of Exif, the position and the interoperability. */
const POINTERS = [0x8769, 0x8825, 0xa005]
const FIELD_BYTES = 12

/** A JPEG of 65 KB that would take a decoder 11 s of processor time: its only directory of Exif data is full of fields that
 *  point at itself.
 *  @param jpeg what it shows */
export function exifBomb(jpeg: Buffer): Buffer {
  const tiff = Buffer.alloc(SEGMENT_BYTES - EXIF_MARK.length)
  const fields = Math.floor((tiff.length - 14) / FIELD_BYTES)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(fields, 8)
  for (let field = 0; field < fields; field++) {
    const at = 10 + field * FIELD_BYTES
    tiff.writeUInt16LE(POINTERS[field % POINTERS.length]!, at)
    tiff.writeUInt16LE(4, at + 2)
    tiff.writeUInt32LE(1, at + 4)
    tiff.writeUInt32LE(8, at + 8)
  }
  return afterStart(jpeg, jpegSegment(0xe1, Buffer.concat([EXIF_MARK, tiff])))
}

/** A PNG with compressed texts of 4.5 GB.
 *  @param png what it shows */
export function textBomb(png: Buffer): Buffer {
  const text = Buffer.concat([Buffer.from('a\0\0', 'latin1'), deflateSync(Buffer.alloc(50_000_000))])
  return afterHeader(png, ...Array(90).fill(pngChunk('zTXt', text)))
}

export const afterStart = (jpeg: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

export const afterHeader = (png: Buffer, ...chunks: Buffer[]) =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])

export function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

export function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
