import { canvasCopiesExactly } from '../canvas-copies.ts'

/** The pixels of the longer side from which on a selfie is made smaller: the service would do the same. */
const LONGEST_SIDE = 2_000

/** A selfie as it is sent: a picture of a phone's camera takes a tenth of the bytes when it is made smaller first. The
 *  file itself where the browser does not copy it exactly, or nothing is gained.
 *  @throws when the browser cannot open it */
export async function sentSelfie(selfie: File): Promise<File> {
  const picture = await createImageBitmap(selfie, { imageOrientation: 'from-image' })
  try {
    const scale = LONGEST_SIDE / Math.max(picture.width, picture.height)
    if (scale >= 1 || !(await canvasCopiesExactly())) return selfie
    const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale))
    const context = canvas.getContext('2d')!
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.imageSmoothingQuality = 'high'
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 })
    return jpeg.size < selfie.size ? new File([jpeg], selfie.name, { type: 'image/jpeg' }) : selfie
  } finally {
    picture.close()
  }
}
