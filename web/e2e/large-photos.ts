import sharp from 'sharp'

/** A picture of noise, which compresses as badly as grass and confetti do.
 *  @param width and height in pixels, as they are stored
 *  @param orientation of EXIF: 6 means that the camera was turned, so that the upright picture is as wide as this one
 *  is high */
export function noisyJpeg(width: number, height: number, orientation = 1): Promise<Buffer> {
  return noise(width, height).jpeg({ quality: 97 }).withMetadata({ orientation }).toBuffer()
}

/** A transparent one. */
export function noisyPng(width: number, height: number): Promise<Buffer> {
  return noise(width, height).ensureAlpha(0).png({ compressionLevel: 1 }).toBuffer()
}

function noise(width: number, height: number) {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
}
