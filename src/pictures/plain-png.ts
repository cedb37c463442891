import { crc32, inflateSync } from 'node:zlib'
import { isUsableProfile, PROFILE_MAX_BYTES } from './colour-profile.ts'
import { copiedParts } from './copied-parts.ts'
import { exifThatSays, orientationOf } from './exif.ts'

const SIGNATURE_BYTES = 8
/** Length and type before a chunk's content, and the checksum after it. */
const HEAD_BYTES = 8
const CHECKSUM_BYTES = 4
/** Where a chunk can be put: after the header, whose content has 13 bytes. */
export const AFTER_PNG_HEADER = SIGNATURE_BYTES + HEAD_BYTES + 13 + CHECKSUM_BYTES

/** The chunks that are needed for the pixels. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

/** The chunk that says how the photo is turned. */
const TURNED_BYTES = 38

export function plainPng(bytes: Buffer): { bytes: Buffer; exif: Buffer | undefined } {
  const plain = copiedParts(bytes.length + TURNED_BYTES)
  plain.add(bytes.subarray(0, SIGNATURE_BYTES))
  let exif: Buffer | undefined
  let hasProfile = false
  let hasPixels = false
  for (let at = SIGNATURE_BYTES, type = ''; at + HEAD_BYTES <= bytes.length && type !== 'IEND'; ) {
    const end = at + HEAD_BYTES + bytes.readUInt32BE(at) + CHECKSUM_BYTES
    const whole = bytes.subarray(at, end)
    type = bytes.toString('latin1', at + 4, at + HEAD_BYTES)
    at = end
    const content = () => whole.subarray(HEAD_BYTES, -CHECKSUM_BYTES)
    if (type === 'IDAT' && !hasPixels) {
      hasPixels = true
      addOrientation(plain, exif)
    }
    if (KEPT.has(type)) plain.add(whole)
    // What comes after the first pixels is not read when a picture is opened.
    else if (hasPixels) continue
    else if (type === 'eXIf') exif ??= content()
    // Only the first one counts: each may take 2 MB of memory and some milliseconds.
    else if (type === 'iCCP' && !hasProfile) {
      hasProfile = true
      if (hasUsableProfile(content())) plain.add(whole)
    }
  }
  return { bytes: plain.bytes(), exif }
}

function addOrientation(plain: ReturnType<typeof copiedParts>, exif: Buffer | undefined): void {
  const orientation = orientationOf(exif)
  if (orientation > 1) plain.add(exifChunk(exifThatSays(orientation)))
}

/** A name of at most 79 letters, the number of the compression method, and the compressed profile. */
function hasUsableProfile(content: Buffer): boolean {
  const name = content.indexOf(0)
  if (name < 0) return false
  try {
    return isUsableProfile(inflateSync(content.subarray(name + 2), { maxOutputLength: PROFILE_MAX_BYTES }))
  } catch {
    // It is damaged, or larger.
    return false
  }
}

export const exifChunk = (exif: Buffer) => chunkOf('eXIf', exif)

function chunkOf(type: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(HEAD_BYTES + content.length + CHECKSUM_BYTES)
  chunk.writeUInt32BE(content.length)
  chunk.write(type, 4, 'latin1')
  content.copy(chunk, HEAD_BYTES)
  const checked = chunk.subarray(4, -CHECKSUM_BYTES)
  chunk.writeUInt32BE(crc32(checked), chunk.length - CHECKSUM_BYTES)
  return chunk
}
