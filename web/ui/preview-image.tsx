import { useEffect, useState } from 'react'
import { PhotosIcon } from './icons.tsx'

/** Shows a file of the visitor's own, straight from their disk; a sign in its place when it is no picture. */
export function PreviewImage({ file, alt, className }: { file: File; alt: string; className?: string }) {
  const [url, setUrl] = useState<string>()
  const [broken, setBroken] = useState(false)

  useEffect(() => {
    const address = URL.createObjectURL(file)
    setUrl(address)
    setBroken(false)
    return () => URL.revokeObjectURL(address)
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
  return url ? (
    <img src={url} alt={alt} decoding="async" onError={() => setBroken(true)} className={className} />
  ) : null
}
