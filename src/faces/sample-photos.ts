import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import type { BoundingBox } from './face-index.ts'

/** The six event photos that the face-api package brings along, for tests and benches: JPEG, 1920 pixels wide,
 *  with 3, 3, 3, 4, 5 and 4 faces. */
export function samplePhotos(): Buffer[] {
  const packageFile = createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json')
  return [1, 2, 3, 4, 5, 6].map((number) =>
    readFileSync(join(dirname(packageFile), 'demo', `sample${number}.jpg`)),
  )
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
