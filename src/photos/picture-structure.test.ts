import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { withArithmeticCoding } from '../testing/scan-bomb.ts'
import { createStructureReader, PICTURE_MAX_SCANS, refuseSlowJpeg, structureOf } from './picture-structure.ts'

const SAMPLE = join(import.meta.dirname, '../../node_modules/@vladmandic/face-api/demo/sample1.jpg')
const END_OF_IMAGE = [0xff, 0xd9]

let jpeg: Buffer
let progressive: Buffer
let png: Buffer
beforeAll(async () => {
  const picture = sharp(await readFile(SAMPLE)).resize(160)
  jpeg = await picture.jpeg().toBuffer()
  progressive = await picture.jpeg({ progressive: true }).toBuffer()
  png = await picture.png().toBuffer()
})

/** A JPEG segment with its marker and its length. */
function segment(marker: number, content: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

const afterStart = (bytes: Buffer, ...inserted: Uint8Array[]) =>
  Buffer.concat([bytes.subarray(0, 2), ...inserted, bytes.subarray(2)])

describe('counts the scans and finds the end of', () => {
  test('a baseline and a progressive JPEG', () => {
    expect(structureOf(jpeg)).toEqual({ scans: 1, end: jpeg.length })
    expect(structureOf(progressive)).toEqual({ scans: 10, end: progressive.length })
  })

  test('a progressive JPEG of four colours', async () => {
    const cmyk = await sharp(jpeg).toColourspace('cmyk').jpeg({ progressive: true }).toBuffer()
    const { scans, end } = structureOf(cmyk)
    expect(scans).toBeGreaterThan(10)
    expect(scans).toBeLessThan(PICTURE_MAX_SCANS)
    expect(end).toBe(cmyk.length)
  })

  test('a JPEG with restart markers', () => {
    // Restart markers between the compressed pixels have no length.
    const bytes = Buffer.concat([
      jpeg.subarray(0, -2),
      Buffer.from([0xff, 0xd0, 0xff, 0xd7, 1, 2, 0xff, 0xd9]),
    ])
    expect(structureOf(bytes)).toEqual({ scans: 1, end: bytes.length })
  })

  test('a PNG, plain or interlaced', async () => {
    expect(structureOf(png)).toEqual({ scans: 0, end: png.length })
    const interlaced = await sharp(png).png({ progressive: true }).toBuffer()
    expect(structureOf(interlaced)).toEqual({ scans: 0, end: interlaced.length })
  })
})

describe('is not misled by', () => {
  test('a thumbnail inside a segment', () => {
    const bytes = afterStart(jpeg, segment(0xe1, progressive))
    expect(structureOf(bytes)).toEqual({ scans: 1, end: bytes.length })
  })

  test('further pictures and videos after the end', () => {
    for (const picture of [jpeg, png]) {
      const more = Buffer.concat([picture, progressive, Buffer.from('ftypmp42'), png])
      expect(structureOf(more).end).toBe(picture.length)
    }
    expect(structureOf(Buffer.concat([jpeg, progressive])).scans).toBe(1)
  })

  test('padding before a marker, bytes between segments and bytes FF in the compressed pixels', () => {
    const odd = [Buffer.from([0xff, 0xff, 0xff, 0xfe, 0, 2]), Buffer.from([7, 0xff, 0, 0xff, 0xff, 0, 0xda])]
    const bytes = afterStart(jpeg, ...odd)
    expect(structureOf(bytes)).toEqual({ scans: 1, end: bytes.length })
  })

  test('a segment that claims no length, as libjpeg reads it', () => {
    const bytes = afterStart(jpeg, Buffer.from([0xff, 0xee, 0, 0]), Buffer.from([0xff, 0xee, 0, 1]))
    expect(structureOf(bytes)).toEqual({ scans: 1, end: bytes.length })
  })

  test('arithmetic coding and a number of lines after the first scan', () => {
    const lines = segment(0xdc, Buffer.from([0, 9]))
    const bytes = Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      segment(0xc9, Buffer.alloc(15)),
      segment(0xcc, Buffer.alloc(2)),
      segment(0xda, Buffer.alloc(8)),
      Buffer.from([1, 0xff, 0, 3]),
      lines,
      segment(0xda, Buffer.alloc(8)),
      Buffer.from([5, 6, ...END_OF_IMAGE, 9, 9]),
    ])
    expect(structureOf(bytes)).toEqual({ scans: 2, end: bytes.length - 2, isArithmetic: true })
  })

  test('a PNG chunk whose content looks like the end', () => {
    const chunk = Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from('teXt\0\0\0\0IEND'), Buffer.alloc(4)])
    const bytes = Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
    expect(structureOf(bytes).end).toBe(bytes.length)
  })
})

describe('finds no end in', () => {
  test('a picture that is cut off', () => {
    for (const picture of [jpeg, progressive, png])
      for (const cut of [1, 2, 3, 4, 12]) expect(structureOf(picture.subarray(0, -cut)).end).toBeUndefined()
  })

  test('other files', async () => {
    const webp = await sharp(png).webp().toBuffer()
    const others = [
      webp,
      Buffer.alloc(0),
      Buffer.from([0xff]),
      Buffer.from('\x89PNX\r\n\x1a\nIEND', 'latin1'),
    ]
    for (const bytes of others) expect(structureOf(bytes)).toEqual({ scans: 0, end: undefined })
  })
})

test('finds out that a JPEG has arithmetic coding, and not that a picture inside a segment has', () => {
  const coded = withArithmeticCoding(progressive)
  expect(structureOf(coded)).toMatchObject({ isArithmetic: true })
  expect(() => refuseSlowJpeg(structureOf(coded))).toThrow(/arithmetic coding/)
  expect(structureOf(afterStart(jpeg, segment(0xe1, coded))).isArithmetic).toBeUndefined()
})

test('any bytes are read without an error, and in pieces as at once', () => {
  const changed = fc
    .tuple(
      fc.constantFrom('jpeg', 'progressive', 'png'),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 0x49, 0x80, 0xd0, 0xd8, 0xd9, 0xda, 0xe1, 0xff)), {
        maxLength: 40,
      }),
    )
    .map(([kind, changes]) => {
      const bytes = Buffer.from({ jpeg, progressive, png }[kind]!)
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte
      return bytes
    })
  const start = fc.constantFrom([0xff, 0xd8], [...Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')])
  const invented = fc
    .tuple(start, fc.uint8Array({ maxLength: 300 }))
    .map(([head, rest]) => Buffer.from([...head, ...rest]))

  fc.assert(
    fc.property(fc.oneof(changed, invented), fc.integer({ min: 1, max: 700 }), (bytes, piece) => {
      const whole = structureOf(bytes)
      const reader = createStructureReader()
      for (let at = 0; at < bytes.length; at += piece) reader.read(bytes.subarray(at, at + piece))
      expect(reader.structure).toEqual(whole)
      if (whole.end !== undefined) {
        expect(whole.end).toBeLessThanOrEqual(bytes.length)
        expect(structureOf(bytes.subarray(0, whole.end))).toEqual(whole)
      }
    }),
    { numRuns: 500 },
  )
})

// A walk in quadratic time would exceed the test's time.
test.each([
  ['restart markers', [0xff, 0xd0]],
  ['empty segments', [0xff, 0xe0, 0, 0]],
  ['padding', [0xff]],
  ['bytes FF of pixels', [0xff, 0]],
])('reads 10 MB of %s', (_name, pattern) => {
  const bytes = Buffer.alloc(10 * 1024 * 1024, Buffer.from(pattern))
  bytes.set([0xff, 0xd8])
  bytes.set(END_OF_IMAGE, bytes.length - 8)
  expect(structureOf(bytes)).toEqual({ scans: 0, end: bytes.length - 6 })
})
