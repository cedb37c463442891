import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { cameraTime } from './camera-time.ts'

const blank = () => sharp({ create: { width: 8, height: 8, channels: 3, background: 'white' } }).jpeg()

type Fields = Record<string, string>

async function exifWith(IFD2: Fields, IFD0: Fields = {}): Promise<Buffer> {
  return (await sharp(await blank().withExif({ IFD0, IFD2 }).toBuffer()).metadata()).exif!
}
const originalAt = (date: string, offset?: string) =>
  exifWith({ DateTimeOriginal: date, ...(offset && { OffsetTimeOriginal: offset }) })

describe('the time at which a photo was taken', () => {
  const [first, second, third] = ['2025:08:19 14:03:22', '2025:08:20 09:00:00', '2025:08:21 10:00:00']

  test('is that of the original, else that of the scan, else that of the last change', async () => {
    const taken = async (details: Fields) => cameraTime(await exifWith(details, { DateTime: third }))?.takenAt
    expect(await taken({ DateTimeOriginal: first, DateTimeDigitized: second })).toBe('2025-08-19T14:03:22')
    expect(await taken({ DateTimeDigitized: second })).toBe('2025-08-20T09:00:00')
    expect(await taken({ DateTimeOriginal: '0000:00:00 00:00:00', DateTimeDigitized: second })).toBe(
      '2025-08-20T09:00:00',
    )
    expect(await taken({})).toBe('2025-08-21T10:00:00')
  })

  test('is in the other byte order, too', () => {
    const exif = Buffer.alloc(64)
    exif.write('MM\0*', 0, 'latin1')
    exif.writeUInt32BE(8, 4)
    exif.writeUInt16BE(1, 8)
    exif.writeUInt16BE(0x8769, 10)
    exif.writeUInt16BE(4, 12)
    exif.writeUInt32BE(1, 14)
    exif.writeUInt32BE(26, 18)
    exif.writeUInt16BE(1, 26)
    exif.writeUInt16BE(0x9003, 28)
    exif.writeUInt16BE(2, 30)
    exif.writeUInt32BE(20, 32)
    exif.writeUInt32BE(44, 36)
    exif.write('2024:02:29 23:59:58', 44, 'latin1')
    expect(cameraTime(exif)?.takenAt).toBe('2024-02-29T23:59:58')
  })

  test.each([
    ['photoshop:DateCreated="2025-08-19T14:03:22+02:00"', '2025-08-19T14:03:22', '+02:00'],
    ['<photoshop:DateCreated>2025-08-19T14:03</photoshop:DateCreated>', '2025-08-19T14:03:00', undefined],
    ["photoshop:DateCreated='2025-08-19T14:03:22.50Z'", '2025-08-19T14:03:22', '+00:00'],
  ])('is at last what XMP says: %s', async (xmp, takenAt, offset) => {
    expect(cameraTime(undefined, xmp)).toEqual({ takenAt, offset })
    expect(cameraTime(await exifWith({ LensModel: 'any' }), xmp)).toEqual({ takenAt, offset })
    expect(cameraTime(await originalAt(second), xmp)?.takenAt).toBe('2025-08-20T09:00:00')
  })

  test.each([
    '0000:00:00 00:00:00',
    '    :  :     :  :  ',
    '9999:01:01 10:00:00',
    '2025:02:30 10:00:00',
    'yesterday, at about nine',
  ])('is not "%s"', async (date) => {
    expect(cameraTime(await originalAt(date))).toBeUndefined()
  })

  test('is no day in XMP that no calendar has', () => {
    expect(cameraTime(undefined, 'photoshop:DateCreated="2025-02-30T10:00:00"')).toBeUndefined()
  })

  test.each([
    ['+02:00', '+02:00'],
    ['-09:30', '-09:30'],
    ['+25:00', undefined],
    ['      ', undefined],
  ])('has the offset "%s" from UTC as %s', async (written, offset) => {
    expect(cameraTime(await originalAt(first, written))).toEqual({ takenAt: '2025-08-19T14:03:22', offset })
  })
})

test('data that ends anywhere or points anywhere gives no error', async () => {
  const whole = await originalAt('2025:08:19 14:03:22', '+02:00')
  for (let length = 0; length < whole.length; length++) cameraTime(whole.subarray(0, length))
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole)
    changed[at] = 0xff
    cameraTime(changed)
  }
})
