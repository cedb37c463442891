import sharp from 'sharp'
import { expect, test } from 'vitest'
import { exifFields, onlyTakenAt } from '../testing/exif-fields.ts'
import { withTimeForGuests } from './time-for-guests.ts'

const blank = () => sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })

/** What a phone writes about a photo. */
async function headerOfPhone(IFD2: Record<string, string>) {
  const photo = await blank()
    .withExif({
      IFD0: { Make: 'Secret Phone', Copyright: 'Somebody', Orientation: '6' },
      IFD2: { ...IFD2, LensModel: 'Secret Lens' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 8/1 0/1', GPSDateStamp: '2025:08:19' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>Secret Phone</a></x:xmpmeta>')
    .jpeg()
    .toBuffer()
  return await sharp(photo).metadata()
}

const HEADER_TIME = { DateTimeOriginal: '2025:08:19 14:03:22', OffsetTimeOriginal: '+02:00' }

test.each(['jpeg', 'png'] as const)('a %s gets the time and its offset, and nothing else', async (format) => {
  const plain = await blank().toFormat(format).toBuffer()
  const dated = withTimeForGuests(plain, await headerOfPhone(HEADER_TIME))
  expect(await exifFields(dated)).toEqual(onlyTakenAt('2025:08:19 14:03:22', '+02:00'))
  expect(dated.length).toBeLessThan(plain.length + 150)
  expect(dated.includes('Secret')).toBe(false)
  const pixels = (picture: Buffer) => sharp(picture, { failOn: 'warning' }).raw().toBuffer()
  expect((await pixels(dated)).equals(await pixels(plain))).toBe(true)
})

test('a photo whose time is not known gets nothing', async () => {
  const plain = await blank().jpeg().toBuffer()
  expect(withTimeForGuests(plain, await headerOfPhone({}))).toBe(plain)
})
