import sharp from 'sharp'

/** The mark at its end (ITU T.81, table B.1). */
export const END_OF_JPEG = Buffer.from([0xff, 0xd9])

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
