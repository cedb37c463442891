import { useEffect, useState } from 'react'

/** Photos are decoded in two rows, one after another: each takes 50 to 100 MB. */
const rows: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
let asked = 0

/** Gives a small, upright picture of an image file. Nothing else stays in memory.
 *  @param width in pixels
 *  @throws when the browser cannot open the file; the signal's reason when it is aborted */
export function makeThumbnail(file: File, width: number, signal: AbortSignal): Promise<Blob> {
  const row = asked++ % rows.length
  const made = rows[row]!.then(() => {
    signal.throwIfAborted()
    return shrink(file, width)
  })
  rows[row] = made.catch(() => {})
  return made
}

async function shrink(file: File, width: number): Promise<Blob> {
  const picture = await createImageBitmap(file, { resizeWidth: width, resizeQuality: 'medium' })
  try {
    const canvas = document.createElement('canvas')
    canvas.width = picture.width
    canvas.height = picture.height
    canvas.getContext('2d')!.drawImage(picture, 0, 0)
    return await new Promise((resolve, reject) => {
      const take = (blob: Blob | null) =>
        blob ? resolve(blob) : reject(new Error('The canvas gave no picture'))
      canvas.toBlob(take, 'image/webp', 0.85)
    })
  } finally {
    picture.close()
  }
}

/** Makes a small, upright picture of a file from the visitor's disk.
 *  @param width in pixels
 *  @returns its address; undefined while it is made; 'broken' when the browser cannot open the file */
export function usePicture(file: File, width: number): string | undefined {
  const [url, setUrl] = useState<string>()

  useEffect(() => {
    const leaving = new AbortController()
    let address: string | undefined
    setUrl(undefined)
    makeThumbnail(file, width, leaving.signal).then(
      (picture) => {
        if (leaving.signal.aborted) return
        address = URL.createObjectURL(picture)
        setUrl(address)
      },
      () => {
        if (!leaving.signal.aborted) setUrl('broken')
      },
    )
    return () => {
      leaving.abort()
      if (address) URL.revokeObjectURL(address)
    }
  }, [file, width])

  return url
}
