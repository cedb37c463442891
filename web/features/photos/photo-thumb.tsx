import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { photoThumb as texts } from '../../../src/texts/english/photos.ts'
import * as common from '../../../src/texts/english/words.ts'
import { isFocusLost } from '../../lib/focus.ts'
import { PhotosIcon } from '../../ui/action-icons.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { PhotoLoading } from './grid/photo-tile.tsx'
import { useImage } from './use-image.ts'

export interface PhotoThumbProps extends Omit<PhotoLoading, 'onDownload'> {
  /** The thumbnail's address. A fresh one is used unless the photo is already shown. Give each photo a component of
   *  its own (`key`). */
  src: string
  /** Empty when the links over it name the photo. */
  alt: string
  /** Names the photo in the failed state. */
  filename: string
  /** Whether it is among the first that a visitor sees. The others load when they are near the window. */
  isFirst?: boolean
  /** Whether it does not load yet. */
  isHeld?: boolean | undefined
  /** What is shown until the photo has loaded, such as its colours; by default a skeleton. */
  placeholder?: ReactNode
  /** Shape and size of the box. They never change. */
  className?: string
  /** What is shown over the photo, such as links to it. It is missing while the photo has failed. */
  children?: ReactNode
}

/** A photo's thumbnail in a box: a placeholder while it loads, and a button to try again when it does not load. */
export function PhotoThumb(props: PhotoThumbProps) {
  const { src, alt, filename, issued, isFirst = false, isRenewing = false, onFail, className = '' } = props
  const { key, image, isShown, ...loading } = useImage({ src, issued, onFail })
  const hasFailed = loading.hasFailed && !isShown && !isRenewing

  const box = useRef<HTMLDivElement>(null)
  const [wasRetried, setWasRetried] = useState(false)

  function retry() {
    flushSync(() => {
      setWasRetried(true)
      loading.retry()
    })
    // In place of the button, which had it.
    box.current?.querySelector('a')?.focus({ preventScroll: true })
    props.onRetry?.()
  }

  return (
    <div ref={box} className={`relative overflow-hidden bg-sunken ${className}`}>
      {props.placeholder ??
        (!isShown && !hasFailed && <Skeleton className="absolute inset-0 rounded-none bg-line" />)}
      <img
        key={key}
        alt={alt}
        {...image}
        {...(props.isHeld && { src: undefined })}
        {...(isFirst && { loading: 'eager', fetchPriority: 'high' })}
        className={`absolute inset-0 size-full object-cover transition-[opacity,transform] duration-300 ease-settle group-hover:scale-[1.03] ${isShown ? '' : 'opacity-0'}`}
      />
      {hasFailed ? (
        <div className="absolute inset-0 flex flex-col items-center justify-center bg-sunken p-2 text-center text-sm text-ink-soft">
          <PhotosIcon className="size-7" />
          <span className="mt-1.5">{texts.notLoaded}</span>
          <Button
            ref={wasRetried ? focusIfLost : undefined}
            look="quiet"
            className="px-3! text-sm! text-ink"
            aria-label={texts.tryAgain(filename)}
            onClick={retry}
          >
            {common.tryAgain}
          </Button>
        </div>
      ) : (
        props.children
      )}
    </div>
  )
}

/** For the button that comes back. */
const focusIfLost = (button: HTMLElement | null) => {
  if (isFocusLost()) button?.focus({ preventScroll: true })
}
