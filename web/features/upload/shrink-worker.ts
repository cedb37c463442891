/** Makes photos smaller, one message after another. It runs in a worker, so that the page stays responsive. */
import { PHOTO_MAX_BYTES, PHOTO_MAX_PIXELS } from '../../../src/contract/limits.ts'
import { canvasCopiesExactly } from '../photos/canvas-copies.ts'
import { CAMERA_TIME_MAX_BYTES, withCameraTime } from './camera-time.ts'
import { fitPhoto, type PictureSize } from './fit-photo.ts'

/** What the worker answers to a photo. */
export type ShrinkAnswer = { photo: Blob } | { failure: 'notOpened' | 'notExact' }

let copiesAreExact: Promise<boolean> | undefined

addEventListener('message', async ({ data }: MessageEvent<File>) => {
  copiesAreExact ??= canvasCopiesExactly()
  const answer = (await copiesAreExact)
    ? await shrink(data).catch((error: unknown) => {
        console.warn('A photo could not be made smaller', error)
        return { failure: 'notOpened' as const }
      })
    : { failure: 'notExact' as const }
  postMessage(answer satisfies ShrinkAnswer)
})

async function shrink(file: File): Promise<ShrinkAnswer> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    const limits = { bytes: PHOTO_MAX_BYTES - CAMERA_TIME_MAX_BYTES, pixels: largestCanvas(picture) }
    const photo = await fitPhoto(picture, limits, (size, quality) =>
      drawn(picture, size).convertToBlob({ type: 'image/jpeg', quality }),
    )
    return { photo: await withCameraTime(photo, file) }
  } finally {
    picture.close()
  }
}

/** Upright, and on white where the picture is transparent. */
function drawn(picture: ImageBitmap, { width, height }: PictureSize): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height)
  const context = contextOf(canvas)
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  return canvas
}

/** The pixels of the largest canvas of this shape that the browser draws on. Beyond its own limit, which differs
 *  between devices, a browser leaves the canvas empty and reports nothing. */
function largestCanvas({ width, height }: PictureSize): number {
  for (let pixels = Math.min(width * height, PHOTO_MAX_PIXELS); pixels > 1; pixels /= 2) {
    const scale = Math.sqrt(pixels / (width * height))
    if (isDrawable(Math.floor(width * scale), Math.floor(height * scale))) return pixels
  }
  throw new Error('The browser cannot draw on a canvas')
}

function isDrawable(width: number, height: number): boolean {
  try {
    const context = contextOf(new OffscreenCanvas(width, height))
    context.fillRect(width - 1, height - 1, 1, 1)
    return context.getImageData(width - 1, height - 1, 1, 1).data[3] === 255
  } catch {
    return false
  }
}

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('The browser gives no canvas of this size')
  return context
}
