import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { photoThumb as texts } from '../../../src/texts/english/photos.ts'
import * as common from '../../../src/texts/english/words.ts'
import { isFocusLost } from '../../lib/focus.ts'
import { PhotosIcon } from '../../ui/action-icons.tsx'
import { Button } from '../../ui/button.tsx'
import { FaceIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { cropAround } from './crop-around.ts'
import type { PhotoLoading } from './grid/photo-tile.tsx'
import { useImage } from './use-image.ts'

export interface PhotoThumbProps extends Omit<PhotoLoading, 'onDownload'> {
  /** The photo's address. A fresh one is used unless the photo is already shown. Give each photo a component of its own
   *  (`key`). */
  src: string
  /** Empty when the links over it name the photo. */
  alt: string
  /** Names the photo in the failed state. */
  filename: string
  /** Only a face of the photo is shown. If it does not load, nobody asks for it again: it comes by itself. */
  face?: ReturnType<typeof cropAround>
  /** Whether it is among the first that a visitor sees. The others load when they are near the window. */
  isFirst?: boolean | undefined
  /** What is shown until the photo has loaded, such as its colours; by default a skeleton. */
  placeholder?: ReactNode
  /** Shape and size of the box. They never change. */
  className?: string
  /** What is shown over the photo, such as links to it. It is missing while the photo has failed. */
  children?: ReactNode
}

/** A photo in a box: a placeholder while it loads, and a button to try again when it does not load. */
export function PhotoThumb(props: PhotoThumbProps) {
  const { alt, filename, face } = props
  const { key, image, isShown, ...loading } = useImage(props)
  const hasFailed = loading.hasFailed && !isShown && !props.isRenewing

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
    <div ref={box} className={`relative overflow-hidden bg-sunken ${props.className ?? ''}`}>
      {props.placeholder ??
        (!isShown && !hasFailed && <Skeleton className="absolute inset-0 rounded-none bg-line" />)}
      <img
        key={key}
        alt={alt}
        {...image}
        {...(props.isFirst && { loading: 'eager', fetchPriority: 'high' })}
        style={face}
        className={`absolute transition-[opacity,transform] duration-300 ease-settle ${face ? 'max-w-none' : 'inset-0 size-full object-cover group-hover:scale-[1.03]'} ${isShown ? '' : 'opacity-0'}`}
      />
      {!hasFailed && props.children}
      {hasFailed && (
        <div className="absolute inset-0 flex flex-col items-center justify-center bg-sunken p-2 text-center text-sm text-ink-soft">
          {face ? <FaceIcon className="size-8" /> : <PhotosIcon className="size-7" />}
          {!face && (
            <>
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
            </>
          )}
        </div>
      )}
    </div>
  )
}

/** For the button that comes back. */
const focusIfLost = (button: HTMLElement | null) => {
  if (isFocusLost()) button?.focus({ preventScroll: true })
}
