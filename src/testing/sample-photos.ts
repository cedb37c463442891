import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import type { BoundingBox, PhotoSource } from '../faces/face-index.ts'

const FACE_API = createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json')

/** The path of one of the six event photos in the face-api package, for the demo, tests and benches. They are JPEG,
 *  1920 pixels wide, with 3, 3, 3, 4, 5 and 4 faces. @param number 1 to 6 */
export function samplePath(number: number): string {
  return join(dirname(FACE_API), 'demo', `sample${number}.jpg`)
}

export const SAMPLES = [1, 2, 3, 4, 5, 6]

export function samplePhotos(): Buffer[] {
  return SAMPLES.map((number) => readFileSync(samplePath(number)))
}

/** The square around a face, `factor` times as wide as its box, as PNG. */
export async function cropFace(photo: Buffer, box: BoundingBox, factor: number): Promise<Buffer> {
  const { width, height } = await sharp(photo).metadata()
  const side = Math.max(box.width * width, box.height * height) * factor
  const left = Math.max(0, Math.round((box.left + box.width / 2) * width - side / 2))
  const top = Math.max(0, Math.round((box.top + box.height / 2) * height - side / 2))
  return sharp(photo)
    .extract({
      left,
      top,
      width: Math.min(Math.round(side), width - left),
      height: Math.min(Math.round(side), height - top),
    })
    .png()
    .toBuffer()
}

/** A photo that exists only in memory. */
export const inMemory = (bytes: Buffer): PhotoSource => ({ read: async () => bytes })

/** A picture without a face. */
export function plainWall(): Promise<Buffer> {
  return sharp({ create: { width: 800, height: 600, channels: 3, background: '#a98' } })
    .jpeg()
    .toBuffer()
}

let pictures = 0

/** A small PNG that differs from all others of this process. */
export function newPicture(): Promise<Buffer> {
  pictures += 1
  const background = { r: pictures & 255, g: (pictures >> 8) & 255, b: (pictures >> 16) & 255 }
  return sharp({ create: { width: 80, height: 80, channels: 3, background } })
    .png()
    .toBuffer()
}
