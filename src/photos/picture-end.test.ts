import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { afterHeader, afterStart, jpegSegment, pngChunk } from '../testing/metadata-bombs.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { endOfPicture } from './picture-end.ts'

const picture = sharp(await readFile(samplePath(1))).resize(160)
const jpeg = await picture.jpeg().toBuffer()
const progressive = await picture.jpeg({ progressive: true }).toBuffer()
const png = await picture.png().toBuffer()

const video = Buffer.from('ftypmp42 and a video')

test('a picture ends before the pictures and videos behind it', () => {
  for (const picture of [jpeg, progressive, png]) {
    expect(endOfPicture(picture)).toBe(picture.length)
    expect(endOfPicture(Buffer.concat([picture, progressive, video, png]))).toBe(picture.length)
  }
})

test('is not misled by what looks like an end, or has no length', () => {
  const marks = [0xff, 0xd0, 0xff, 0xd7, 1, 2, 0xff, 0, 0xd9, 0xff, 0xff, 0xff, 0xd9]
  const odd = [
    afterStart(jpeg, jpegSegment(0xe1, progressive)),
    afterStart(jpeg, Buffer.from([0xff, 0xee, 0, 0]), Buffer.from([0xff, 0xee, 0, 1])),
    afterStart(jpeg, Buffer.from([0xff, 0xff, 0xff, 0xfe, 0, 2, 7, 0xff, 0, 0xd9])),
    Buffer.concat([jpeg.subarray(0, -2), Buffer.from(marks)]),
    afterHeader(png, pngChunk('teXt', Buffer.from('\0\0\0\0IEND\0\0\0\0'))),
  ]
  for (const bytes of odd) expect(endOfPicture(Buffer.concat([bytes, video]))).toBe(bytes.length)
})

test('there is no end in a picture that is cut off, and in other files', async () => {
  for (const picture of [jpeg, progressive, png])
    for (const cut of [1, 2, 3, 4, 12]) expect(endOfPicture(picture.subarray(0, -cut))).toBeUndefined()
  const others = [await sharp(png).webp().toBuffer(), Buffer.alloc(0), Buffer.from([0xff]), video]
  for (const bytes of others) expect(endOfPicture(bytes)).toBeUndefined()
})

test('any bytes are read without an error, and only once', () => {
  const start = fc.constantFrom([0xff, 0xd8], [...Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')])
  const byte = fc.oneof(fc.constantFrom(0, 0xd0, 0xd8, 0xd9, 0xda, 0xe1, 0xff), fc.nat(255))
  fc.assert(
    fc.property(start, fc.array(byte, { maxLength: 300 }), (head, rest) => {
      const bytes = Buffer.from([...head, ...rest])
      const end = endOfPicture(bytes) ?? bytes.length
      expect(end).toBeLessThanOrEqual(bytes.length)
      expect(endOfPicture(Buffer.concat([bytes.subarray(0, end)])) ?? end).toBe(end)
    }),
    { numRuns: 500 },
  )
  // A walk in quadratic time would exceed the test's time.
  for (const pattern of [[0xff, 0xd0], [0xff, 0xe0, 0, 0], [0xff], [0xff, 0]]) {
    const large = Buffer.alloc(5_000_000, Buffer.from(pattern))
    large.set([0xff, 0xd8])
    large.set([0xff, 0xd9], large.length - 8)
    expect(endOfPicture(large)).toBe(large.length - 6)
  }
})
