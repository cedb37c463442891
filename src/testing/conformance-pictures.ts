import sharp from 'sharp'
import type { IndexedFace, IndexedPhoto } from '../faces/face-index.ts'

export function leftToRight({ faces }: IndexedPhoto): IndexedFace[] {
  return faces.toSorted((one, other) => one.box.left - other.box.left)
}

/** A picture without a face. */
export function plainWall(): Promise<Buffer> {
  return sharp({ create: { width: 800, height: 600, channels: 3, background: '#a98' } })
    .jpeg()
    .toBuffer()
}
