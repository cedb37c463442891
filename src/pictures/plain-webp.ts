import { isUsableProfile } from './colour-profile.ts'
import { exifThatSays, orientationOf } from './exif.ts'

/** "RIFF", the length of what follows, "WEBP". */
const START_BYTES = 12
/** Type and length before a chunk's content. */
const HEAD_BYTES = 8

/** The chunks that are needed for the first frame, in the order in which they stand (WebP Container Specification). The
 *  first of each type has a meaning. */
const KEPT = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L'])
/** Flags of VP8X. */
const HAS_PROFILE = 0x20
const HAS_EXIF = 0x08
const HAS_XMP = 0x04

interface Chunk {
  content: Buffer
  /** With its head; cut off when the file is. */
  whole: Buffer
}

export function plainWebp(bytes: Buffer): { bytes: Buffer; exif: Buffer | undefined } {
  const chunks = new Map<string, Chunk>()
  for (const [type, chunk] of chunksOf(bytes))
    if ((KEPT.has(type) || type === 'EXIF') && !chunks.has(type)) chunks.set(type, chunk)
  const exif = chunks.get('EXIF')?.content
  chunks.delete('EXIF')
  const profile = chunks.get('ICCP')?.content
  if (profile && !isUsableProfile(profile)) chunks.delete('ICCP')
  const features = chunks.get('VP8X')
  const orientation = orientationOf(exif)
  const parts = [bytes.subarray(0, START_BYTES), ...[...chunks.values()].map(({ whole }) => whole)]
  if (features) {
    const flags = (features.content[0] ?? 0) & ~(HAS_PROFILE | HAS_EXIF | HAS_XMP)
    const hasProfile = chunks.has('ICCP') ? HAS_PROFILE : 0
    const hasExif = orientation > 1 ? HAS_EXIF : 0
    parts[1 + [...chunks.keys()].indexOf('VP8X')] = withFlags(features.whole, flags | hasProfile | hasExif)
    if (orientation > 1) parts.push(chunkOf('EXIF', exifThatSays(orientation)))
  }
  const plain = Buffer.concat(parts)
  plain.writeUInt32LE(plain.length - 8, 4)
  return { bytes: plain, exif }
}

function* chunksOf(bytes: Buffer): Generator<[type: string, chunk: Chunk]> {
  for (let at = START_BYTES; at + HEAD_BYTES <= bytes.length; ) {
    const start = at
    const content = at + HEAD_BYTES
    const length = bytes.readUInt32LE(at + 4)
    // An odd length is padded with a byte.
    at = content + length + (length % 2)
    const chunk = { content: bytes.subarray(content, content + length), whole: bytes.subarray(start, at) }
    yield [bytes.toString('latin1', start, start + 4), chunk]
  }
}

function withFlags(features: Buffer, flags: number): Buffer {
  const changed = Buffer.from(features)
  if (changed.length > HEAD_BYTES) changed[HEAD_BYTES] = flags
  return changed
}

/** @param content of an even length */
function chunkOf(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(type, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content])
}
