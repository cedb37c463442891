/** Where a JPEG or PNG ends: the number of its bytes up to there. Phones write videos and further pictures behind it.
 *  Never throws, and takes time in proportion to the number of bytes.
 *  @returns undefined when there is no end, and for every other file */
export function endOfPicture(bytes: Buffer): number | undefined {
  if (bytes[0] === 0xff) return endOfJpeg(bytes)
  return bytes[0] === 0x89 ? endOfPng(bytes) : undefined
}

const END_OF_IMAGE = 0xd9

/** As libjpeg reads it (jdmarker.c): bytes between two segments are skipped, and so are the pictures and thumbnails
 *  inside a segment, by its length. */
function endOfJpeg(bytes: Buffer): number | undefined {
  let at = bytes.indexOf(0xff, 2)
  while (at >= 0 && at + 1 < bytes.length) {
    const marker = bytes[at + 1]!
    if (marker === END_OF_IMAGE) return at + 2
    at = bytes.indexOf(0xff, at + bytesToSkip(bytes, at, marker))
  }
  return undefined
}

/** FF 00 is a byte FF of the compressed pixels, and FF FF is padding. Below C0, a second start (D8) and restart markers
 *  (D0 to D7) have no content. */
function bytesToSkip(bytes: Buffer, at: number, marker: number): number {
  if (marker === 0xff) return 1
  if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) return 2
  return at + 4 <= bytes.length ? 2 + Math.max(bytes.readUInt16BE(at + 2), 2) : bytes.length
}

const PNG_SIGNATURE_BYTES = 8
/** The length and the type of a chunk, and its checksum. */
const CHUNK_FRAME_BYTES = 12

function endOfPng(bytes: Buffer): number | undefined {
  let at = PNG_SIGNATURE_BYTES
  while (at + CHUNK_FRAME_BYTES <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    at += CHUNK_FRAME_BYTES + bytes.readUInt32BE(at)
    if (type === 'IEND') return at <= bytes.length ? at : undefined
  }
  return undefined
}
