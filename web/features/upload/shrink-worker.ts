/** Makes photos smaller, one message after another. It runs in a worker, so that the page stays responsive. */
import { PHOTO_MAX_BYTES, PHOTO_MAX_PIXELS } from '../../../src/contract/limits.ts'
import { canvasCopiesExactly } from '../photos/canvas-copies.ts'
import { CAMERA_TIME_MAX_BYTES, fitPhoto, type PictureSize, withCameraTime } from './shrink.ts'

/** Every browser draws on a canvas of this size. */
const CANVAS_LEAST_PIXELS = 1_000_000

/** What the worker answers to a photo: a smaller one, or why there is none. */
export type ShrinkAnswer = Blob | 'notOpened' | 'notExact'

let copiesAreExact: Promise<boolean> | undefined

addEventListener('message', async ({ data }: MessageEvent<File>) => {
  copiesAreExact ??= canvasCopiesExactly()
  const answer = (await copiesAreExact) ? shrink(data) : 'notExact'
  postMessage((await answer) satisfies ShrinkAnswer)
})

async function shrink(file: File): Promise<ShrinkAnswer> {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const pixels = Math.min(picture.width * picture.height, PHOTO_MAX_PIXELS)
    const copy = await fitted(picture, pixels).finally(() => picture.close())
    return await withCameraTime(copy, file)
  } catch (error) {
    console.warn('A photo could not be made smaller', error)
    return 'notOpened'
  }
}

/** Devices differ in the largest canvas that they draw on. When it is too large, half of the pixels are tried. */
async function fitted(picture: ImageBitmap, pixels: number): Promise<Blob> {
  const limits = { bytes: PHOTO_MAX_BYTES - CAMERA_TIME_MAX_BYTES, pixels }
  try {
    return await fitPhoto(picture, limits, (size, quality) =>
      drawn(picture, size).convertToBlob({ type: 'image/jpeg', quality }),
    )
  } catch (error) {
    if (pixels < CANVAS_LEAST_PIXELS) throw error
    return await fitted(picture, pixels / 2)
  }
}

/** Upright, and on white where the picture is transparent. */
function drawn(picture: ImageBitmap, { width, height }: PictureSize): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('The browser gives no canvas of this size')
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  // Beyond its own limit a browser leaves the canvas empty and reports nothing.
  if (context.getImageData(width - 1, height - 1, 1, 1).data[3] !== 255)
    throw new Error('The browser does not draw on a canvas of this size')
  return canvas
}
