import sharp from 'sharp'

/** A grey JPEG without a face, in the smallest size that Rekognition takes: 80 × 80 pixels. */
export function blankPicture(): Promise<Buffer> {
  return sharp({ create: { width: 80, height: 80, channels: 3, background: '#808080' } })
    .jpeg()
    .toBuffer()
}
