import sharp from 'sharp'

/** Where a JPEG or PNG ends: the number of its bytes up to there. Phones write videos and further pictures behind it.
 *  Never throws, and takes time in proportion to the number of bytes.
 *  @returns undefined when there is no end, and for every other file */
export function endOfPicture(bytes: Buffer): number | undefined {
  if (bytes[0] === 0xff) return endOfJpeg(bytes)
  const end = bytes.indexOf(END_OF_PNG)
  return end < 0 ? undefined : end + END_OF_PNG.length
}

/** Type and checksum of the chunk without content that ends it. */
const END_OF_PNG = Buffer.from('IEND\xae\x42\x60\x82', 'latin1')

/** The mark at its end (ITU T.81, table B.1). */
export const END_OF_JPEG = Buffer.from([0xff, 0xd9])

/** As libjpeg reads it (jdmarker.c): bytes between two segments are skipped, and so are the pictures and thumbnails
 *  inside a segment, by its length. */
function endOfJpeg(bytes: Buffer): number | undefined {
  let at = bytes.indexOf(0xff, 2)
  while (at >= 0 && at + 1 < bytes.length) {
    const marker = bytes[at + 1]!
    if (marker === END_OF_JPEG[1]) return at + 2
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

/** The rows of a picture that are looked at, from top to bottom, and how many of the last ones may be missing. */
const ROWS = 100
const MISSING_MAX = 5
const COLUMNS = 32

/** Whether a JPEG that was cut off lacks only the mark at its end, or its last rows.
 *  @param jpeg with that mark */
export async function isAlmostWhole(jpeg: Buffer): Promise<boolean> {
  try {
    const { isProgressive } = await sharp(jpeg).metadata()
    // Each scan of a progressive JPEG has all rows, so a part of one shows nothing of what is missing.
    if (isProgressive) await sharp(jpeg, { failOn: 'warning' }).stats()
    return (await missingRows(jpeg)) <= MISSING_MAX
  } catch {
    return false
  }
}

/** libjpeg shows missing rows in one grey. A picture whose own last rows have one colour may seem to lack more. */
async function missingRows(jpeg: Buffer): Promise<number> {
  const { data, info } = await sharp(jpeg, { failOn: 'none' })
    .resize(COLUMNS, ROWS, { fit: 'fill', kernel: 'nearest' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const rowBytes = COLUMNS * info.channels
  const rowOf = (row: number) => data.subarray(row * rowBytes, (row + 1) * rowBytes)
  const missing = Buffer.concat(Array.from({ length: COLUMNS }, () => data.subarray(-info.channels)))
  let rows = 0
  while (rows < ROWS && rowOf(ROWS - 1 - rows).equals(missing)) rows++
  return rows
}
