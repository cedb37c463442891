import readExif from 'exif-reader'

/** When a photo was taken, as its camera says it. */
export interface CameraTime {
  /** Such as `2025-08-19T14:03:22`, by the camera's clock. */
  takenAt: string
  /** From UTC, such as `+02:00`; undefined when the camera does not know it. */
  offset: string | undefined
}

/** When a photo was taken: the original's time, else that of its scan, else that of its last change, else what XMP says.
 *  @param exif a file's Exif data, from "Exif" or its byte order on
 *  @param xmp a text with a file's XMP data
 *  @returns undefined when nothing says it, or names a possible time */
export function cameraTime(exif: Buffer | undefined, xmp = ''): CameraTime | undefined {
  return (exif && timeInExif(exif)) ?? timeInXmp(xmp)
}

function timeInExif(exif: Buffer): CameraTime | undefined {
  let fields: readExif.Exif
  try {
    fields = readExif(exif)
  } catch {
    // It is damaged.
    return undefined
  }
  const { Image, Photo } = fields
  const said = exif.toString('latin1')
  return (
    timeOf(said, Photo?.DateTimeOriginal, Photo?.OffsetTimeOriginal) ??
    timeOf(said, Photo?.DateTimeDigitized, Photo?.OffsetTimeDigitized) ??
    timeOf(said, Image?.DateTime, Photo?.OffsetTime)
  )
}

/** The field of XMP that says when a photo was made ("XMP Specification", part 2), with a time. */
const XMP_TIME =
  /photoshop:DateCreated(?:\s*=\s*["']|>)\s*(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(?:\.\d+)?(Z|[+-]\d\d:\d\d)?/

function timeInXmp(xmp: string): CameraTime | undefined {
  const [, minute, second = ':00', offset] = xmp.match(XMP_TIME) ?? []
  if (!minute) return undefined
  const time = minute + second
  return timeOf(exifDate(time), new Date(`${time}Z`), offset === 'Z' ? '+00:00' : offset)
}

/** @param said has the time as Exif writes it
 *  @param date the camera's clock as if it were UTC */
function timeOf(said: string, date: unknown, offset: unknown): CameraTime | undefined {
  if (!(date instanceof Date) || !isPossible(date)) return undefined
  const takenAt = date.toISOString().slice(0, 19)
  // A Date takes 30 February as 2 March.
  if (!said.includes(exifDate(takenAt))) return undefined
  const isOffset = typeof offset === 'string' && /^[+-](0\d|1[0-4]):[0-5]\d$/.test(offset)
  return { takenAt, offset: isOffset ? offset : undefined }
}

const exifDate = (time: string) => time.replaceAll('-', ':').replace('T', ' ')

const DAY_MS = 86_400_000

/** Cameras without a clock write zeros, which are read as 1899 or 1900. */
function isPossible(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year > 1900 && year <= new Date(Date.now() + DAY_MS).getUTCFullYear()
}

const EXIF_MARK = 'Exif\0\0'
/** Tags of Exif 2.32, and their types. */
const MODEL = 0x0110
const EXIF_IFD = 0x8769
const DATE_TIME_ORIGINAL = 0x9003
const OFFSET_TIME_ORIGINAL = 0x9011
const ASCII = 2
const LONG = 4
const FIELD_BYTES = 12
const bytesOfDirectory = (fields: number) => 2 + fields * FIELD_BYTES + 4

/** Exif data that says when a photo was taken, and nothing else.
 *  @param camera the photo is for its owner, so it also says by which camera: see camera.ts */
export function exifThatSays(time: CameraTime | undefined, camera?: string): Uint8Array<ArrayBuffer> {
  const own: Text[] = camera ? [[MODEL, textOf(camera)]] : []
  const details: Text[] = []
  if (time) details.push([DATE_TIME_ORIGINAL, textOf(exifDate(time.takenAt))])
  if (time?.offset) details.push([OFFSET_TIME_ORIGINAL, textOf(time.offset)])
  const fields = own.length + (time ? 1 : 0)
  const directory = 8 + bytesOfDirectory(fields)
  let place = directory + (time ? bytesOfDirectory(details.length) : 0)
  const exif = new Uint8Array(place + [...own, ...details].reduce((sum, [, text]) => sum + text.length, 0))
  const view = new DataView(exif.buffer)
  const write = (at: number, text: string) => exif.set(new TextEncoder().encode(text), at)
  const writeField = (at: number, tag: number, [type, count, value]: [number, number, number]) => {
    view.setUint16(at, tag)
    view.setUint16(at + 2, type)
    view.setUint32(at + 4, count)
    view.setUint32(at + 8, value)
  }
  const writeTexts = (at: number, texts: Text[]) => {
    for (const [index, [tag, text]] of texts.entries()) {
      writeField(at + index * FIELD_BYTES, tag, [ASCII, text.length, place])
      write(place, text)
      place += text.length
    }
  }
  write(0, 'MM\0*')
  view.setUint32(4, 8)
  view.setUint16(8, fields)
  writeTexts(10, own)
  if (!time) return exif
  writeField(10 + own.length * FIELD_BYTES, EXIF_IFD, [LONG, 1, directory])
  view.setUint16(directory, details.length)
  writeTexts(directory + 2, details)
  return exif
}

type Text = [tag: number, text: string]

/** Longer than the four bytes that would stand in the field itself. */
const textOf = (text: string) => `${text.padEnd(4)}\0`

/** The segment of a JPEG with Exif data that says the same. */
export function exifSegment(time: CameraTime | undefined, camera?: string): Uint8Array<ArrayBuffer> {
  const exif = exifThatSays(time, camera)
  const mark = new TextEncoder().encode(EXIF_MARK)
  const segment = new Uint8Array(4 + mark.length + exif.length)
  new DataView(segment.buffer).setUint32(0, 0xffe1_0000 + segment.length - 2)
  segment.set(mark, 4)
  segment.set(exif, 4 + mark.length)
  return segment
}
