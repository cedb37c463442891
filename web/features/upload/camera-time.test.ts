import sharp from 'sharp'
import { expect, test } from 'vitest'
import { exifFields, onlyTakenAt } from '../../../src/testing/exif-fields.ts'
import { CAMERA_TIME_MAX_BYTES, withCameraTime } from './camera-time.ts'

const blank = () => sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } }).jpeg()
const blobOf = (bytes: Buffer) => new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })
const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

async function photoOf(times: Record<string, string>): Promise<Buffer> {
  const exif = {
    IFD0: { Make: 'Phone Maker', Model: 'Any', Artist: 'Secret' },
    IFD2: { BodySerialNumber: '110042', ...times },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 8/1 0/1' },
  }
  return await blank().withExif(exif).toBuffer()
}
const DATE = '2025:08:19 14:03:22'
const CAMERA = { '0x110': 'Phone Maker Any (0042)' }

test.each([
  [
    { DateTimeOriginal: DATE, OffsetTimeOriginal: '+02:00' },
    { ...CAMERA, ...onlyTakenAt(DATE, '+02:00') },
  ],
  [{ DateTimeOriginal: DATE }, { ...CAMERA, ...onlyTakenAt(DATE) }],
  [{}, CAMERA],
])(
  'a smaller copy has the time and the camera of its original, and nothing else of it: %o',
  async (times, fields) => {
    const plain = await blank().toBuffer()
    const copy = await withCameraTime(blobOf(plain), blobOf(await photoOf(times)))
    expect(copy.type).toBe('image/jpeg')
    expect(copy.size - plain.length).toBeLessThanOrEqual(CAMERA_TIME_MAX_BYTES)
    expect(await exifFields(await bytesOf(copy))).toEqual(fields)
  },
)

test('a HEIC photo has it behind other data', async () => {
  const { exif } = await sharp(await photoOf({ DateTimeOriginal: DATE })).metadata()
  const heic = Buffer.concat([Buffer.from('....ftypheic, and so on'), Buffer.alloc(3_000), exif!])
  const copy = await withCameraTime(blobOf(await blank().toBuffer()), blobOf(heic))
  expect(await exifFields(await bytesOf(copy))).toEqual({ ...CAMERA, ...onlyTakenAt(DATE) })
})

test('without a time and a camera, and with data that is cut off or changed anywhere, there is a copy all the same', async () => {
  const plain = blobOf(await blank().toBuffer())
  const withoutBoth = await blank()
    .withExif({ IFD0: { Artist: 'Secret' } })
    .toBuffer()
  for (const original of [Buffer.alloc(0), Buffer.from('Exif\0\0'), withoutBoth])
    expect(await withCameraTime(plain, blobOf(original))).toBe(plain)
  const whole = await photoOf({ DateTimeOriginal: DATE, OffsetTimeOriginal: '+02:00' })
  for (let at = 0; at < Math.min(whole.length, 400); at++) {
    await withCameraTime(plain, blobOf(whole.subarray(0, at)))
    const changed = Buffer.from(whole)
    changed[at] = 0xff
    expect((await withCameraTime(plain, blobOf(changed))).size).toBeLessThan(plain.size + 250)
  }
})
