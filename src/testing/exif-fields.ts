import sharp from 'sharp'

/** The tags that lead to another directory, and where it is. */
const DIRECTORIES = new Set([0x8769, 0x8825, 0xa005])
const ASCII = 2

/** Every field of a picture's Exif data, by its tag: `0x9003`. Texts as texts, other values as numbers. The fields that
 *  only lead to other fields are left out.
 *  @returns undefined when the picture has no Exif data */
export async function exifFields(picture: Buffer): Promise<Record<string, string | number> | undefined> {
  const { exif } = await sharp(picture).metadata()
  if (!exif) return undefined
  const tiff = exif.subarray(exif.indexOf('MM\0*') < 0 ? exif.indexOf('II*\0') : exif.indexOf('MM\0*'))
  const isLittle = tiff[0] === 0x49
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const read32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const found: Record<string, string | number> = {}
  const readDirectory = (start: number) => {
    const count = read16(start)
    for (let at = start + 2; at < start + 2 + count * 12; at += 12) {
      const [tag, type, length, value] = [read16(at), read16(at + 2), read32(at + 4), read32(at + 8)]
      if (DIRECTORIES.has(tag)) readDirectory(value)
      else
        found[`0x${tag.toString(16)}`] =
          type === ASCII && length > 4 ? tiff.toString('latin1', value, value + length - 1) : value
    }
    const next = read32(start + 2 + count * 12)
    if (next !== 0) readDirectory(next)
  }
  readDirectory(read32(4))
  return found
}

/** The fields of a photo for guests that was taken at this time, such as `2025:08:19 14:03:22`, and nothing else. */
export const onlyTakenAt = (date: string, offset?: string) => ({
  '0x9003': date,
  ...(offset && { '0x9011': offset }),
})
