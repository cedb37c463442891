/** Bytes. Cameras write what they know about a photo near the beginning of the file. */
const HEAD_BYTES = 1_000_000
/** "Exif" and two zeros. */
const EXIF_MARK = [0x45, 0x78, 0x69, 0x66, 0, 0]
/** Tags of Exif 2.32. */
const EXIF_IFD = 0x8769
const DATE_TIME_ORIGINAL = 0x9003
const OFFSET_TIME_ORIGINAL = 0x9011
/** The length of each text. */
const TEXT_BYTES = new Map([
  [DATE_TIME_ORIGINAL, 19],
  [OFFSET_TIME_ORIGINAL, 6],
])
const ASCII = 2
const LONG = 4
const FIELD_BYTES = 12

/** What a copy may grow by. */
export const CAMERA_TIME_MAX_BYTES = 150

/** A smaller copy of a photo, with the time at which the camera took it. Drawing a picture again loses that.
 *  @param copy a JPEG without Exif data
 *  @param original a JPEG or HEIC; of other files, and without a time, the copy stays as it is */
export async function withCameraTime(copy: Blob, original: Blob): Promise<Blob> {
  const times = timesIn(await original.slice(0, HEAD_BYTES).arrayBuffer())
  if (times.length === 0) return copy
  return new Blob([copy.slice(0, 2), exifSegment(times), copy.slice(2)], { type: copy.type })
}

type Time = [tag: number, text: string]

/** The time and its offset from UTC, as they stand in the file. */
function timesIn(head: ArrayBuffer): Time[] {
  const text = new TextDecoder('latin1').decode(head)
  const mark = [...text.matchAll(/Exif\0\0(?=II\*\0|MM\0\*)/g)][0]
  if (!mark) return []
  const tiff = new DataView(head, mark.index + EXIF_MARK.length)
  try {
    const isLittle = tiff.getUint8(0) === 0x49
    const details = fieldIn(tiff, isLittle, tiff.getUint32(4, isLittle), EXIF_IFD)
    if (details === undefined) return []
    return [...TEXT_BYTES].flatMap(([tag, bytes]): Time[] => {
      const place = fieldIn(tiff, isLittle, details, tag)
      const start = tiff.byteOffset + (place ?? 0)
      return place === undefined ? [] : [[tag, text.slice(start, start + bytes)]]
    })
  } catch {
    // The data is damaged: something in it points outside.
    return []
  }
}

/** What a field of a directory says: a number, or the place of a text. */
function fieldIn(tiff: DataView, isLittle: boolean, directory: number, tag: number): number | undefined {
  const fields = tiff.getUint16(directory, isLittle)
  for (let field = 0; field < fields; field++) {
    const at = directory + 2 + field * FIELD_BYTES
    if (tiff.getUint16(at, isLittle) === tag) return tiff.getUint32(at + 8, isLittle)
  }
  return undefined
}

/** The segment of a JPEG that says these, and nothing else. */
function exifSegment(times: Time[]): Uint8Array<ArrayBuffer> {
  const directory = 26
  const texts = directory + 2 + times.length * FIELD_BYTES + 4
  const all = times.map(([, text]) => `${text}\0`).join('')
  const head = 4 + EXIF_MARK.length
  const segment = new Uint8Array(head + texts + all.length)
  const write = (place: number, text: string) => {
    for (let at = 0; at < text.length; at++) segment[place + at] = text.charCodeAt(at)
  }
  new DataView(segment.buffer).setUint16(0, 0xffe1)
  new DataView(segment.buffer).setUint16(2, segment.length - 2)
  segment.set(EXIF_MARK, 4)
  write(head, 'MM\0*')
  const tiff = new DataView(segment.buffer, head)
  const writeField = (at: number, tag: number, [type, count, value]: [number, number, number]) => {
    tiff.setUint16(at, tag)
    tiff.setUint16(at + 2, type)
    tiff.setUint32(at + 4, count)
    tiff.setUint32(at + 8, value)
  }
  tiff.setUint32(4, 8)
  tiff.setUint16(8, 1)
  writeField(10, EXIF_IFD, [LONG, 1, directory])
  tiff.setUint16(directory, times.length)
  let place = texts
  for (const [index, [tag, text]] of times.entries()) {
    writeField(directory + 2 + index * FIELD_BYTES, tag, [ASCII, text.length + 1, place])
    place += text.length + 1
  }
  write(head + texts, all)
  return segment
}
