/** Photos that are decoded at the same time. Each takes 50 to 100 MB. */
const AT_ONCE = 2

let running = 0
const waiting: (() => void)[] = []

/** Gives a small, upright picture of an image file. Nothing else stays in memory.
 *  @param width in pixels
 *  @throws when the browser cannot open the file; the signal's reason when it is aborted */
export async function makeThumbnail(file: File, width: number, signal: AbortSignal): Promise<Blob> {
  if (running < AT_ONCE) running++
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    signal.throwIfAborted()
    return await shrink(file, width)
  } finally {
    const next = waiting.shift()
    // The next one gets the place directly, so no later call takes it meanwhile.
    if (next) next()
    else running--
  }
}

async function shrink(file: File, width: number): Promise<Blob> {
  const picture = await createImageBitmap(file, { resizeWidth: width, resizeQuality: 'medium' })
  try {
    const canvas = document.createElement('canvas')
    canvas.width = picture.width
    canvas.height = picture.height
    canvas.getContext('2d')!.drawImage(picture, 0, 0)
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('The canvas gave no picture'))),
        'image/webp',
        0.85,
      ),
    )
  } finally {
    picture.close()
  }
}
