import sharp from 'sharp'

/** A picture of noise, taken on August 19, 2025, which compresses badly, as grass and confetti do.
 *  @param width and height in pixels, as they are stored
 *  @param orientation the EXIF value; 6 means that the camera was turned, so width and height of the upright picture are
 *  swapped */
export function noisyJpeg(width: number, height: number, orientation = 1): Promise<Buffer> {
  return noise(width, height)
    .jpeg({ quality: 97 })
    .withMetadata({ orientation })
    .withExifMerge({ IFD2: { DateTimeOriginal: '2025:08:19 14:03:22' } })
    .toBuffer()
}

/** The same as a transparent PNG. */
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
