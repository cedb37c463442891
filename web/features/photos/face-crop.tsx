import { type CSSProperties, useState } from 'react'
import { FaceIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { cropAround, type FaceBox } from './crop-around.ts'
import type { PhotoLoading } from './grid/photo-tile.tsx'
import { useImage } from './use-image.ts'

export interface FaceCropProps extends Pick<PhotoLoading, 'issued' | 'onFail'> {
  /** The address of the photo. A fresh one is used unless the photo is already shown. Give each face a component of its
   *  own (`key`). */
  src: string
  box: FaceBox
  alt: string
  /** Shape and size. */
  className?: string
}

/** A face, cut from its photo. */
export function FaceCrop({ src, box, alt, issued, onFail, className = '' }: FaceCropProps) {
  const { key, image, isShown, hasFailed } = useImage({ src, issued, onFail })
  const [place, setPlace] = useState<CSSProperties>()

  return (
    <div className={`relative overflow-hidden bg-sunken ${className}`}>
      {!isShown && !hasFailed && <Skeleton className="absolute inset-0 rounded-none bg-line" />}
      {!isShown && hasFailed && (
        <span className="absolute inset-0 grid place-items-center text-ink-soft">
          <FaceIcon className="size-8" />
        </span>
      )}
      <img
        key={key}
        alt={alt}
        {...image}
        onLoad={(loaded) => {
          const photo = loaded.currentTarget
          const { clientWidth, clientHeight } = photo.parentElement!
          setPlace(cropAround(box, photo.naturalWidth / photo.naturalHeight, clientWidth / clientHeight))
          image.onLoad()
        }}
        style={place}
        className={`absolute max-w-none transition-opacity duration-300 ${isShown ? '' : 'inset-0 size-full opacity-0'}`}
      />
    </div>
  )
}
