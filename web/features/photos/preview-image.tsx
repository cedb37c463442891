import { useEffect, useState } from 'react'
import { previewImage as texts } from '../../../src/texts/english/upload.ts'
import { PhotosIcon } from '../../ui/action-icons.tsx'

/** An address for a file from the visitor's disk, as long as it is shown.
 *  @returns what an image element needs, and whether the browser cannot open the file. The address is missing in the first
 *  render */
export function usePicture(file: File) {
  const [url, setUrl] = useState<string>()
  const [broken, setBroken] = useState<File>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return { image: { src: url, onError: () => setBroken(file) }, isBroken: broken === file }
}

/** Shows a picture of a file from the visitor's disk, or an icon when the browser cannot open it. */
export function PreviewImage({ file, alt, className }: { file: File; alt: string; className?: string }) {
  const { image, isBroken } = usePicture(file)
  if (isBroken)
    return (
      <span
        role="img"
        aria-label={texts.none(alt)}
        className={`grid place-items-center text-ink-soft ${className}`}
      >
        <PhotosIcon />
      </span>
    )
  return image.src ? <img {...image} alt={alt} decoding="async" className={className} /> : null
}
