import { canvasCopiesExactly } from '../canvas-copies.ts'

/** The pixels of the longer side from which on a selfie is made smaller: the service would do the same. */
const LONGEST_SIDE = 2_000

const smaller = new WeakMap<File, Promise<File>>()

/** A selfie as it is sent: a picture of a phone's camera takes a tenth of the bytes when it is made smaller first. The
 *  file itself where the browser cannot open it or does not copy it exactly, or nothing is gained. */
export function sentSelfie(selfie: File): Promise<File> {
  let made = smaller.get(selfie)
  if (!made) {
    made = shrink(selfie).catch(() => selfie)
    smaller.set(selfie, made)
  }
  return made
}

async function shrink(selfie: File): Promise<File> {
  const { width, height } = await sizeOf(selfie)
  if (Math.max(width, height) <= LONGEST_SIDE || !(await canvasCopiesExactly())) return selfie
  const side = width > height ? { resizeWidth: LONGEST_SIDE } : { resizeHeight: LONGEST_SIDE }
  const picture = await createImageBitmap(selfie, { ...side, resizeQuality: 'high' })
  try {
    const canvas = document.createElement('canvas')
    canvas.width = picture.width
    canvas.height = picture.height
    const context = canvas.getContext('2d')!
    context.fillStyle = 'white'
    context.fillRect(0, 0, picture.width, picture.height)
    context.drawImage(picture, 0, 0)
    const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92))
    return jpeg && jpeg.size < selfie.size ? new File([jpeg], selfie.name, { type: 'image/jpeg' }) : selfie
  } finally {
    picture.close()
  }
}

/** Of the upright picture. */
async function sizeOf(selfie: File): Promise<{ width: number; height: number }> {
  const url = URL.createObjectURL(selfie)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    return { width: image.naturalWidth, height: image.naturalHeight }
  } finally {
    URL.revokeObjectURL(url)
  }
}
