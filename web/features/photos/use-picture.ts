import { useEffect, useState } from 'react'
import { makeThumbnail } from './thumbnail.ts'

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
