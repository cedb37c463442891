import sharp from 'sharp'
import { expect, test } from 'vitest'
import { cameraTime } from './exif.ts'

const takenAt = (exif: Buffer | undefined) => cameraTime(exif)?.takenAt

async function exifWith(date: string, offset?: string): Promise<Buffer> {
  const blank = sharp({ create: { width: 8, height: 8, channels: 3, background: 'white' } })
  const jpeg = await blank
    .withExif({ IFD2: { DateTimeOriginal: date, ...(offset && { OffsetTimeOriginal: offset }) } })
    .jpeg()
    .toBuffer()
  return (await sharp(jpeg).metadata()).exif!
}

test('the time at which the camera took the photo is read', async () => {
  expect(takenAt(await exifWith('2025:08:19 14:03:22'))).toBe('2025-08-19T14:03:22')
})

test('so is that of a camera that writes the other byte order', () => {
  const exif = Buffer.alloc(64)
  exif.write('MM\0*', 0, 'latin1')
  exif.writeUInt32BE(8, 4)
  exif.writeUInt16BE(1, 8)
  exif.writeUInt16BE(0x8769, 10)
  exif.writeUInt32BE(26, 18)
  exif.writeUInt16BE(1, 26)
  exif.writeUInt16BE(0x9003, 28)
  exif.writeUInt32BE(44, 36)
  exif.write('2024:02:29 23:59:58', 44, 'latin1')
  expect(takenAt(exif)).toBe('2024-02-29T23:59:58')
})

test.each([
  ['+02:00', '+02:00'],
  ['-09:30', '-09:30'],
  ['+25:00', undefined],
  ['      ', undefined],
])('the offset "%s" from UTC is read as %s', async (written, offset) => {
  expect(cameraTime(await exifWith('2025:08:19 14:03:22', written))).toEqual({
    takenAt: '2025-08-19T14:03:22',
    offset,
  })
})

test.each(['0000:00:00 00:00:00', '    :  :     :  :  ', '2025:02:30 10:00:00', 'yesterday, at about nine'])(
  '"%s" is no time',
  async (date) => {
    expect(takenAt(await exifWith(date))).toBeUndefined()
  },
)

test('no data, and data that ends anywhere or points anywhere, gives no time and no error', async () => {
  const whole = await exifWith('2025:08:19 14:03:22', '+02:00')
  expect(takenAt(undefined)).toBeUndefined()
  for (let length = 0; length < whole.length; length++) {
    const cut = takenAt(whole.subarray(0, length))
    if (cut) expect(cut).toBe('2025-08-19T14:03:22')
  }
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole)
    changed[at] = 0xff
    takenAt(changed)
  }
})
