import { previewImage as texts } from '../../../src/texts/english/upload.ts'
import { PhotosIcon } from '../../ui/action-icons.tsx'
import { usePicture } from './use-picture.ts'

/** Pixels: twice the largest tile. */
const WIDTH = 360

/** Shows a small picture of a file from the visitor's disk, or an icon when the browser cannot open it. */
export function PreviewImage({ file, alt, className }: { file: File; alt: string; className?: string }) {
  const url = usePicture(file, WIDTH)
  if (url === 'broken')
    return (
      <span
        role="img"
        aria-label={texts.none(alt)}
        className={`grid place-items-center text-ink-soft ${className}`}
      >
        <PhotosIcon />
      </span>
    )
  return url ? <img src={url} alt={alt} className={className} /> : null
}
