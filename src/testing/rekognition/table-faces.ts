import sharp from 'sharp'
import { DESCRIPTOR_LENGTH } from '../../faces/embedded/descriptors.ts'
import type { RecognisedFace } from './recogniser.ts'

/** A face for a table. A person always has the same descriptor; those of different people are far apart.
 *  @param person a number from 0
 *  @param size the width and height of its box, in fractions of the picture */
export function faceOf(person: number, size = 0.1): RecognisedFace {
  const descriptor = new Float32Array(DESCRIPTOR_LENGTH)
  // Each bit of the number chooses one of two places, so any two people are at least as far apart as strangers.
  for (let bit = 0; bit < 16; bit++) descriptor[bit * 2 + ((person >> bit) & 1)] = 0.9
  return {
    box: { left: 0.2, top: 0.2, width: size, height: size },
    confidence: 99.9,
    quality: { sharpness: 78.5, brightness: 61.5, yaw: -24.5, pitch: -9.5, roll: 4.5 },
    descriptor,
  }
}

/** A small JPEG that is different for each number. Those of neighbouring numbers may be equal. */
export function numberedPicture(number: number, side = 80): Promise<Buffer> {
  const background = { r: number & 255, g: (number >> 8) & 255, b: (number >> 16) & 255 }
  return sharp({ create: { width: side, height: side, channels: 3, background } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer()
}
