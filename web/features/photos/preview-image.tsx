import { useEffect, useState } from 'react'
import { PhotosIcon } from '../../ui/icons.tsx'
import { makeThumbnail } from './thumbnail.ts'

/** Pixels: twice the largest tile. */
const WIDTH = 360

/** Shows a small picture of a file from the visitor's disk, or an icon when the browser cannot open it. */
export function PreviewImage({ file, alt, className }: { file: File; alt: string; className?: string }) {
  const [url, setUrl] = useState<string>()
  const [broken, setBroken] = useState(false)

  useEffect(() => {
    const leaving = new AbortController()
    let address: string | undefined
    setUrl(undefined)
    setBroken(false)
    makeThumbnail(file, WIDTH, leaving.signal).then(
      (picture) => {
        if (leaving.signal.aborted) return
        address = URL.createObjectURL(picture)
        setUrl(address)
      },
      () => {
        if (!leaving.signal.aborted) setBroken(true)
      },
    )
    return () => {
      leaving.abort()
      if (address) URL.revokeObjectURL(address)
    }
  }, [file])

  if (broken)
    return (
      <span
        role="img"
        aria-label={`${alt}, no preview`}
        className={`grid place-items-center text-ink-soft ${className}`}
      >
        <PhotosIcon />
      </span>
    )
  return url ? <img src={url} alt={alt} className={className} /> : null
}
