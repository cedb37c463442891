/** Tags of Exif 2.32. */
const EXIF_IFD = 0x8769
const DATE_TIME_ORIGINAL = 0x9003
const EXIF_MARK = 'Exif\0\0'
const TIFF_HEAD_BYTES = 8
const FIELD_BYTES = 12
const DATE_BYTES = 19

/** When a photo was taken, such as `2025-08-19T14:03:22`: by the camera's clock, so in no known time zone.
 *  @param exif a file's Exif data, from a stranger
 *  @returns undefined when the data does not say it, or names no possible time */
export function takenAt(exif: Buffer | undefined): string | undefined {
  if (!exif) return undefined
  const hasMark = exif.toString('latin1', 0, EXIF_MARK.length) === EXIF_MARK
  const tiff = hasMark ? exif.subarray(EXIF_MARK.length) : exif
  if (tiff.length < TIFF_HEAD_BYTES) return undefined
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const read32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))

  /** What a directory says under a tag: for both tags here a place in the data. */
  function placeIn(directory: number, tag: number): number | undefined {
    if (directory + 2 > tiff.length) return undefined
    const fields = read16(directory)
    for (let field = 0; field < fields; field++) {
      const at = directory + 2 + field * FIELD_BYTES
      if (at + FIELD_BYTES > tiff.length) return undefined
      if (read16(at) === tag) return read32(at + 8)
    }
    return undefined
  }

  const details = placeIn(read32(4), EXIF_IFD)
  const place = details === undefined ? undefined : placeIn(details, DATE_TIME_ORIGINAL)
  return place === undefined ? undefined : asTime(tiff.toString('latin1', place, place + DATE_BYTES))
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
