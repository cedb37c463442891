import { deflateSync } from 'node:zlib'
import { pngChunk } from './metadata-bombs.ts'

/** A complete, valid, black PNG with one bit a pixel: some kilobytes for a large picture.
 *  @param side width and height in pixels */
export function blackPng(side: number): Buffer {
  const row = Math.ceil(side / 8) + 1
  return pngOf({ width: side, height: side, depth: 1, colourType: 0 }, Buffer.alloc(row * side))
}

/** A PNG whose header names this size in pixels, but that has only one row. */
export function pngThatClaims(width: number, height: number): Buffer {
  return pngOf({ width, height, depth: 8, colourType: 2 }, Buffer.alloc(1 + width * 3))
}

function pngOf(
  { width, height, depth, colourType }: { width: number; height: number; depth: number; colourType: number },
  pixels: Buffer,
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colourType], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
