import sharp from 'sharp'

let pictures = 0

/** A small PNG that differs from all others of this process. */
export function newPicture(): Promise<Buffer> {
  pictures += 1
  const background = { r: pictures & 255, g: (pictures >> 8) & 255, b: (pictures >> 16) & 255 }
  return sharp({ create: { width: 80, height: 80, channels: 3, background } })
    .png()
    .toBuffer()
}
