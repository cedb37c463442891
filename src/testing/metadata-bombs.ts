import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A small picture with something that is not pixels and that a decoder reads for a long time. */
export interface MetadataBomb {
  name: string
  bytes: Buffer
}

const EXIF_MARK = Buffer.from('Exif\0\0', 'latin1')
/** The most that a segment of a JPEG holds. */
const SEGMENT_BYTES = 65_533
/** Tags of fields that point at a directory: those of Exif, the position and the interoperability. */
const POINTERS = [0x8769, 0x8825, 0xa005]
const FIELD_BYTES = 12
/** Of the largest photo that may be sent. */
const MOST_BYTES = 4_500_000

/** Exif data whose only directory is full of fields that point at itself.
 *  @param bytes at most 780 KB are used */
function exifThatPointsAtItself(bytes: number): Buffer {
  const tiff = Buffer.alloc(bytes)
  const fields = Math.min(Math.floor((bytes - 14) / FIELD_BYTES), 65_000)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(fields, 8)
  for (let field = 0; field < fields; field++) {
    const at = 10 + field * FIELD_BYTES
    tiff.writeUInt16LE(POINTERS[field % POINTERS.length]!, at)
    tiff.writeUInt16LE(4, at + 2)
    tiff.writeUInt32LE(1, at + 4)
    tiff.writeUInt32LE(8, at + 8)
  }
  return tiff
}

const blank = (side: number, background = 'red') =>
  sharp({ create: { width: side, height: side, channels: 3, background } })

/** A JPEG of 65 KB that would take a decoder 11 s of processor time.
 *  @param jpeg what it shows */
export function exifBomb(jpeg: Buffer): Buffer {
  const exif = exifThatPointsAtItself(SEGMENT_BYTES - EXIF_MARK.length)
  return afterStart(jpeg, jpegSegment(0xe1, Buffer.concat([EXIF_MARK, exif])))
}

/** Each would take a decoder the 12 s after which it is ended, or more. */
export async function metadataBombs(): Promise<MetadataBomb[]> {
  const jpeg = await blank(200).jpeg().toBuffer()
  const png = await blank(200).png().toBuffer()
  const exif = exifThatPointsAtItself(MOST_BYTES)
  const text = deflateSync(Buffer.alloc(50_000_000))
  const texts = (type: string, head: string) =>
    afterHeader(png, ...many(90, pngChunk(type, Buffer.concat([Buffer.from(head, 'latin1'), text]))))
  return [
    { name: 'a JPEG whose directory points at itself', bytes: exifBomb(jpeg) },
    { name: 'a PNG whose directory points at itself', bytes: afterHeader(png, pngChunk('eXIf', exif)) },
    { name: 'a WEBP whose directory points at itself', bytes: await webpWith(exif) },
    { name: 'a PNG with texts of 4.5 GB', bytes: texts('zTXt', 'a\0\0') },
    { name: 'a PNG with international texts of 4.5 GB', bytes: texts('iTXt', 'a\0\x01\0\0\0') },
    { name: 'a WEBP of 30,000 frames', bytes: await webpOfFrames(30_000) },
  ]
}

export const afterStart = (jpeg: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

export const afterHeader = (png: Buffer, ...chunks: Buffer[]) =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])

export function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

export function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

export const many = (count: number, part: Buffer) => Array.from({ length: count }, () => part)

async function webpWith(exif: Buffer): Promise<Buffer> {
  const turned = await blank(200).withMetadata({ orientation: 6 }).webp().toBuffer()
  const chunks = webpChunks(turned).map(({ type, content }) =>
    webpChunk(type, type === 'EXIF' ? Buffer.concat([EXIF_MARK, exif]) : content),
  )
  return webpOf(chunks)
}

async function webpOfFrames(count: number): Promise<Buffer> {
  const frames = await Promise.all(['red', 'blue'].map((colour) => blank(1, colour).png().toBuffer()))
  const animation = await sharp(frames, { join: { animated: true } })
    .webp({ lossless: true })
    .toBuffer()
  const chunks = webpChunks(animation)
  const frame = chunks.find(({ type }) => type === 'ANMF')!
  const others = chunks.filter(({ type }) => type !== 'ANMF')
  return webpOf([
    ...others.map(({ type, content }) => webpChunk(type, content)),
    ...many(count, webpChunk('ANMF', frame.content)),
  ])
}

function webpChunks(webp: Buffer): { type: string; content: Buffer }[] {
  const chunks: { type: string; content: Buffer }[] = []
  for (let at = 12; at < webp.length; ) {
    const length = webp.readUInt32LE(at + 4)
    chunks.push({
      type: webp.toString('latin1', at, at + 4),
      content: webp.subarray(at + 8, at + 8 + length),
    })
    at += 8 + length + (length % 2)
  }
  return chunks
}

function webpChunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

function webpOf(chunks: Buffer[]): Buffer {
  const body = Buffer.concat(chunks)
  const head = Buffer.alloc(12)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  head.write('WEBP', 8, 'latin1')
  return Buffer.concat([head, body])
}
