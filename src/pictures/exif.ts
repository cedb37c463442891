/** Tags of Exif 2.32. */
const ORIENTATION = 0x0112
const EXIF_IFD = 0x8769
const DATE_TIME_ORIGINAL = 0x9003
const OFFSET_TIME_ORIGINAL = 0x9011
/** The types of texts, and of numbers of 16 and 32 bits. */
const ASCII = 2
const SHORT = 3
const LONG = 4
export const EXIF_MARK = 'Exif\0\0'
const TIFF_HEAD_BYTES = 8
const FIELD_BYTES = 12
const NEXT_BYTES = 4
const DATE_BYTES = 19
const OFFSET_BYTES = 6

/** When a photo was taken, as its camera says it. */
export interface CameraTime {
  /** Such as `2025-08-19T14:03:22`, by the camera's clock. */
  takenAt: string
  /** From UTC, such as `+02:00`; undefined when the camera does not know it. */
  offset: string | undefined
}

// The data is from a stranger. Each of its directories is looked through once, and only two are read, so that no loop
// and no depth takes long.

/** How a photo is turned, as cameras count it: from 1, which is upright, to 8.
 *  @param exif a file's Exif data. Without a valid orientation the photo is upright */
export function orientationOf(exif: Buffer | undefined): number {
  const data = exif && openExif(exif)
  const at = data?.fieldIn(data.first, ORIENTATION)
  if (!data || at === undefined || data.read16(at + 2) !== SHORT) return 1
  const orientation = data.read16(at + 8)
  return orientation >= 1 && orientation <= 8 ? orientation : 1
}

/** When a photo was taken.
 *  @param exif a file's Exif data
 *  @returns undefined when the data does not say it, or names no possible time */
export function cameraTime(exif: Buffer | undefined): CameraTime | undefined {
  const data = exif && openExif(exif)
  if (!data) return undefined
  const details = data.fieldIn(data.first, EXIF_IFD)
  if (details === undefined) return undefined
  const textOf = (tag: number, bytes: number) => {
    const field = data.fieldIn(data.read32(details + 8), tag)
    if (field === undefined) return ''
    const place = data.read32(field + 8)
    return data.tiff.toString('latin1', place, place + bytes)
  }
  const takenAt = asTime(textOf(DATE_TIME_ORIGINAL, DATE_BYTES))
  if (!takenAt) return undefined
  return { takenAt, offset: asOffset(textOf(OFFSET_TIME_ORIGINAL, OFFSET_BYTES)) }
}

/** Exif data that says that a photo is turned, and nothing else. */
export function exifThatSays(orientation: number): Buffer {
  const tiff = Buffer.alloc(TIFF_HEAD_BYTES + 2 + FIELD_BYTES + NEXT_BYTES)
  tiff.write('MM\0*', 0, 'latin1')
  tiff.writeUInt32BE(TIFF_HEAD_BYTES, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(ORIENTATION, 10)
  tiff.writeUInt16BE(SHORT, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

/** Exif data that says when a photo was taken, and nothing else. */
export function exifThatSaysWhen({ takenAt, offset }: CameraTime): Buffer {
  const date = takenAt.replaceAll('-', ':').replace('T', ' ')
  const texts = [
    { tag: DATE_TIME_ORIGINAL, text: Buffer.from(`${date}\0`) },
    ...(offset ? [{ tag: OFFSET_TIME_ORIGINAL, text: Buffer.from(`${offset}\0`) }] : []),
  ]
  const directory = TIFF_HEAD_BYTES + 2 + FIELD_BYTES + NEXT_BYTES
  const contents = directory + 2 + texts.length * FIELD_BYTES + NEXT_BYTES
  const head = Buffer.alloc(contents)
  head.write('MM\0*', 0, 'latin1')
  head.writeUInt32BE(TIFF_HEAD_BYTES, 4)
  head.writeUInt16BE(1, 8)
  writeField(head, 10, { tag: EXIF_IFD, type: LONG, count: 1, value: directory })
  head.writeUInt16BE(texts.length, directory)
  let place = contents
  for (const [index, { tag, text }] of texts.entries()) {
    const at = directory + 2 + index * FIELD_BYTES
    writeField(head, at, { tag, type: ASCII, count: text.length, value: place })
    place += text.length
  }
  return Buffer.concat([head, ...texts.map(({ text }) => text)])
}

function writeField(
  tiff: Buffer,
  at: number,
  { tag, type, count, value }: { tag: number; type: number; count: number; value: number },
): void {
  tiff.writeUInt16BE(tag, at)
  tiff.writeUInt16BE(type, at + 2)
  tiff.writeUInt32BE(count, at + 4)
  tiff.writeUInt32BE(value, at + 8)
}

function openExif(exif: Buffer) {
  const hasMark = exif.toString('latin1', 0, EXIF_MARK.length) === EXIF_MARK
  const tiff = hasMark ? exif.subarray(EXIF_MARK.length) : exif
  if (tiff.length < TIFF_HEAD_BYTES) return undefined
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const read32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))

  /** Where a directory has the field with this tag, all of it inside the data. */
  function fieldIn(directory: number, tag: number): number | undefined {
    if (directory + 2 > tiff.length) return undefined
    const fields = read16(directory)
    for (let field = 0; field < fields; field++) {
      const at = directory + 2 + field * FIELD_BYTES
      if (at + FIELD_BYTES > tiff.length) return undefined
      if (read16(at) === tag) return at
    }
    return undefined
  }

  return { tiff, first: read32(4), read16, read32, fieldIn }
}

/** @param text such as `2025:08:19 14:03:22`. Cameras without a clock write zeros or blanks */
function asTime(text: string): string | undefined {
  const [, date, time] = text.match(/^(\d{4}:\d\d:\d\d) (\d\d:\d\d:\d\d)$/) ?? []
  if (!date || !time) return undefined
  const iso = `${date.replaceAll(':', '-')}T${time}`
  const parsed = new Date(`${iso}Z`)
  // A date such as February 30 becomes another one.
  const isPossible = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(iso)
  return isPossible ? iso : undefined
}

function asOffset(text: string): string | undefined {
  return /^[+-](0\d|1[0-4]):[0-5]\d$/.test(text) ? text : undefined
}
