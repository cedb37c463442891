import { AppError } from '../errors.ts'

/** libjpeg's own script for a progressive JPEG of four colours has 18 scans, mozjpeg's scripts have at most 12, and
 *  cameras write one to ten. Decoding a scan takes as long as the picture is large, even when the scan is empty. */
export const PICTURE_MAX_SCANS = 32

/** What the bytes of a picture show without decoding. */
export interface PictureStructure {
  /** Scans of a JPEG; 0 for every other file. */
  scans: number
  /** Whether it is a JPEG with arithmetic coding. Without any, the field is missing. */
  isArithmetic?: true
  /** Number of bytes up to the end of the JPEG or PNG. Phones write videos and further pictures after it. Undefined
   *  when there is no end, and for every other file. */
  end: number | undefined
}

export interface StructureReader {
  /** What the bytes that were read so far show. */
  structure: Readonly<PictureStructure>
  /** Reads the next bytes. Never throws. Takes time in proportion to the number of bytes, and keeps none of them. */
  read(chunk: Uint8Array): void
}

/** Reads the structure of a file that arrives in pieces. */
export function createStructureReader(): StructureReader {
  const structure: PictureStructure = { scans: 0, end: undefined }
  let walk = walkStart(structure)
  let skip = 0
  let length = 0

  return {
    structure,
    read(chunk) {
      let at = 0
      while (at < chunk.length && structure.end === undefined) {
        const skipped = Math.min(skip, chunk.length - at)
        skip -= skipped
        at += skipped
        if (at === chunk.length) break
        const next = walk(chunk[at++]!)
        if (next === END) structure.end = length + at
        else if (typeof next === 'number') skip = next
        else if (typeof next === 'function') walk = next
        else while (at < chunk.length && chunk[at] !== 0xff) at++
      }
      length += chunk.length
    },
  }
}

export function structureOf(bytes: Uint8Array): PictureStructure {
  const reader = createStructureReader()
  reader.read(bytes)
  return reader.structure
}

/** Refuses a picture before it is decoded when its decoding would take far too long. With arithmetic coding, a JPEG of
 *  656 bytes took 6 s.
 *  @throws AppError PAYLOAD_TOO_LARGE for too many scans, UNSUPPORTED_MEDIA_TYPE for arithmetic coding */
export function refuseSlowJpeg({
  scans,
  isArithmetic,
}: Pick<PictureStructure, 'scans' | 'isArithmetic'>): void {
  if (isArithmetic) throw arithmeticJpeg()
  if (scans > PICTURE_MAX_SCANS) throw tooManyScans()
}

export const arithmeticJpeg = () =>
  new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Browsers cannot show this JPEG (it has arithmetic coding). Please save it again as a normal JPEG',
  )

export const tooManyScans = () =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `This JPEG is too complex (more than ${PICTURE_MAX_SCANS} scans). Please save it again as a normal JPEG`,
  )

/** Takes the next byte of a picture. Returns how many of the bytes after it can be skipped, SEEK_FF when all up to the
 *  next byte FF can be, END when it is the last byte, or the walk that continues. */
type Walk = (byte: number) => number | typeof SEEK_FF | typeof END | Walk
const SEEK_FF = Symbol('seek FF')
const END = Symbol('end')

const JPEG_SIGNATURE = '\xff\xd8'
const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n'

function walkStart(structure: PictureStructure): Walk {
  let start = ''
  return (byte) => {
    start += String.fromCharCode(byte)
    if (start === JPEG_SIGNATURE) return walkJpeg(structure)
    if (start === PNG_SIGNATURE) return walkPng()
    const isPossible = JPEG_SIGNATURE.startsWith(start) || PNG_SIGNATURE.startsWith(start)
    return isPossible ? 0 : Number.POSITIVE_INFINITY
  }
}

const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
/** The frames SOF9 to SOF11 and SOF13 to SOF15 (ITU T.81, table B.1). */
const ARITHMETIC_FRAMES = new Set([0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])

/** As libjpeg reads it (jdmarker.c): bytes between two segments are skipped, and so are the pictures and thumbnails
 *  inside a segment, by its length. */
function walkJpeg(structure: PictureStructure): Walk {
  let isAfterFF = false
  /** The bytes of the segment's length that were read; undefined between segments. */
  let lengthBytes: number[] | undefined
  return (byte) => {
    if (lengthBytes) {
      if (lengthBytes.push(byte) < 2) return 0
      const [high, low] = lengthBytes as [number, number]
      lengthBytes = undefined
      return Math.max(high * 256 + low - 2, 0)
    }
    const isMarker = isAfterFF && hasMeaning(byte)
    isAfterFF = byte === 0xff
    if (!isMarker) return isAfterFF ? 0 : SEEK_FF
    if (byte === END_OF_IMAGE) return END
    if (byte === START_OF_SCAN) structure.scans++
    if (ARITHMETIC_FRAMES.has(byte)) structure.isArithmetic = true
    lengthBytes = []
    return 0
  }
}

/** Whether FF and this byte begin a segment or end the image. FF 00 is a byte FF of the compressed pixels, and FF FF is
 *  padding. Below C0, a second start (D8) and restart markers (D0 to D7) have no content. */
function hasMeaning(byte: number): boolean {
  return byte >= 0xc0 && byte < 0xff && !(byte >= 0xd0 && byte <= 0xd8)
}

const IEND = Buffer.from('IEND').readUInt32BE()
const CHUNK_HEAD_BYTES = 8
const CHECKSUM_BYTES = 4

function walkPng(): Walk {
  const head = Buffer.alloc(CHUNK_HEAD_BYTES)
  let read = 0
  return (byte) => {
    // The last byte of the chunk's checksum.
    if (read === CHUNK_HEAD_BYTES) {
      read = 0
      return head.readUInt32BE(4) === IEND ? END : 0
    }
    head[read++] = byte
    return read < CHUNK_HEAD_BYTES ? 0 : head.readUInt32BE(0) + CHECKSUM_BYTES - 1
  }
}
