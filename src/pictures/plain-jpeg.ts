import { isUsableProfile } from './colour-profile.ts'
import { copiedParts } from './copied-parts.ts'
import { EXIF_MARK, exifThatSays, orientationOf } from './exif.ts'

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
const APP0 = 0xe0
const EXIF = 0xe1
const PROFILE = 0xe2
const APP14 = 0xee
const COMMENT = 0xfe

/** The segments that say how the colours are stored (T.871, and Adobe's Technical Note 5116). One of each has a meaning. */
const COLOUR_MARKS = new Map([
  [APP0, 'JFIF\0'],
  [APP14, 'Adobe'],
])
const PROFILE_MARK = 'ICC_PROFILE\0'
const PROFILE_MAX_PIECES = 255
/** The segment that says how the photo is turned. */
const TURNED_BYTES = 36

interface Segment {
  marker: number
  content: Buffer
  /** With its marker and length. */
  whole: Buffer
}

/** Everything up to the first scan is read as libjpeg reads it. After it libjpeg reads only pixels and tables. */
export function plainJpeg(bytes: Buffer): { bytes: Buffer; exif: Buffer | undefined } {
  const plain = copiedParts(bytes.length + TURNED_BYTES)
  plain.add(bytes.subarray(0, 2))
  let exif: Buffer | undefined
  const missing = new Set(COLOUR_MARKS.keys())
  const profile: Segment[] = []
  const rest = eachSegment(bytes, (segment) => {
    const { marker, content, whole } = segment
    if (!isMetadata(marker)) return plain.add(whole)
    const mark = COLOUR_MARKS.get(marker)
    if (mark !== undefined && hasMark(content, mark) && missing.delete(marker)) return plain.add(whole)
    if (marker === EXIF && hasMark(content, EXIF_MARK)) exif ??= content
    if (marker === PROFILE && hasMark(content, PROFILE_MARK) && profile.length <= PROFILE_MAX_PIECES)
      profile.push(segment)
  })
  const orientation = orientationOf(exif)
  if (orientation > 1) plain.add(exifSegment(exifThatSays(orientation)))
  if (isUsable(profile)) for (const { whole } of profile) plain.add(whole)
  plain.add(bytes.subarray(rest))
  return { bytes: plain.bytes(), exif }
}

/** Bytes between segments are left out.
 *  @returns where the first scan begins, or the picture ends without one */
function eachSegment(bytes: Buffer, visit: (segment: Segment) => void): number {
  let at = 2
  while (true) {
    const start = bytes.indexOf(0xff, at)
    if (start < 0) return bytes.length
    const marker = bytes[start + 1]
    if (marker === undefined || marker === START_OF_SCAN || marker === END_OF_IMAGE) return start
    at = start + 1
    if (!hasLength(marker)) continue
    if (start + 4 > bytes.length) return start
    at = start + 2 + Math.max(bytes.readUInt16BE(start + 2), 2)
    visit({ marker, content: bytes.subarray(start + 4, at), whole: bytes.subarray(start, at) })
  }
}

/** FF 00 and FF FF are no markers. A second start (D8), restart markers (D0 to D7) and 01 to BF have no content. */
const hasLength = (marker: number) => marker >= 0xc0 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xd8)

/** What applications may write, comments, and what is reserved. */
const isMetadata = (marker: number) => marker >= APP0 && marker <= COMMENT

/** A profile is cut into pieces, each with its number, from 1, and the number of all. */
function isUsable(pieces: Segment[]): boolean {
  const head = PROFILE_MARK.length + 2
  const isComplete = pieces.every(
    ({ content }, index) => content[head - 2] === index + 1 && content[head - 1] === pieces.length,
  )
  return isComplete && isUsableProfile(Buffer.concat(pieces.map(({ content }) => content.subarray(head))))
}

const hasMark = (content: Buffer, mark: string) => content.toString('latin1', 0, mark.length) === mark

/** Where something can be put in front of all segments but the first one, which has to stay the first (T.871). */
export function afterJfif(jpeg: Buffer): number {
  return jpeg[3] === APP0 ? 4 + jpeg.readUInt16BE(4) : 2
}

export function exifSegment(exif: Buffer): Buffer {
  return segmentOf(EXIF, EXIF_MARK, exif)
}

function segmentOf(marker: number, mark: string, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0, ...Buffer.from(mark, 'latin1')])
  head.writeUInt16BE(head.length - 2 + content.length, 2)
  return Buffer.concat([head, content])
}
