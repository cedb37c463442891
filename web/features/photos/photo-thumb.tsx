import { type ComponentProps, type ReactNode, useCallback, useState } from 'react'
import { photoThumb as texts } from '../../../src/texts/english/photos.ts'
import { useTryAgain } from '../../lib/use-try-again.ts'
import { PhotosIcon } from '../../ui/action-icons.tsx'
import type { cropAround } from './crop-around.ts'
import { checkLink } from './use-photo-links.ts'

export interface PhotoThumbProps {
  /** The photo's address. A fresh one is used unless the photo is already shown. Give each photo a component of its own
   *  (`key`). */
  src: string
  /** Empty when the links over it name the photo. */
  alt: string
  /** Only a face of the photo is shown. */
  face?: ReturnType<typeof cropAround>
  /** Whether it is among the first that a visitor sees. The others load when they are near the window. */
  isFirst?: boolean | undefined
  /** What is shown until the photo has loaded, such as its colours. */
  placeholder?: ReactNode
  /** Shape and size of the box. They never change. */
  className?: string
  /** What is shown over the photo, such as links to it. */
  children?: ReactNode
}

/** A photo in a box: a placeholder while it loads, and an icon while it does not load. */
export function PhotoThumb(props: PhotoThumbProps) {
  const { src, alt, face, isFirst, placeholder, className = '', children } = props
  const { key, image, isShown, hasFailed } = useImage(src)
  return (
    <div className={`relative overflow-hidden bg-line ${className}`}>
      {placeholder}
      <img
        key={key}
        alt={alt}
        {...image}
        {...(isFirst && { loading: 'eager', fetchPriority: 'high' })}
        style={face}
        className={`absolute transition-[opacity,transform] duration-300 ease-settle ${face ? 'max-w-none' : 'inset-0 size-full object-cover group-hover:scale-[1.03]'} ${isShown ? '' : 'opacity-0'}`}
      />
      {hasFailed && (
        <div className="absolute inset-0 flex flex-col items-center justify-center gap-1.5 bg-sunken p-2 text-center text-sm text-ink-soft">
          <PhotosIcon className="size-7" />
          <span>{texts.notLoaded}</span>
        </div>
      )}
      {children}
    </div>
  )
}

/** Loads an image when the browser thinks that it is needed. One that fails is tried again after a while, as soon as the
 *  browser is online again, and with a fresh address. */
function useImage(src: string) {
  /** `failures`: in a row. */
  const [taken, setTaken] = useState({ src, attempt: 0, failures: 0, isShown: false })
  const { attempt, failures, isShown } = taken
  const load = () => setTaken({ ...taken, src, attempt: attempt + 1 })
  if (!isShown && taken.src !== src) load()
  useTryAgain(failures, load)
  const ref = useCallback(
    (image: HTMLImageElement) => {
      // The page was only hidden for a while.
      if (!image.hasAttribute('src')) image.src = taken.src
      return () => endLoading(image)
    },
    [taken.src],
  )

  return {
    /** Of the image element: another one loads the same address again. */
    key: attempt,
    /** For the image element. */
    image: {
      ref,
      // Before the address: some browsers begin to load at once.
      loading: 'lazy',
      decoding: 'async',
      src: taken.src,
      onLoad: () => setTaken({ ...taken, failures: 0, isShown: true }),
      onError() {
        setTaken({ ...taken, failures: failures + 1 })
        void checkLink(taken.src)
      },
    } satisfies ComponentProps<'img'>,
    isShown,
    /** It did not load. It may be loading again, which the visitor need not see. */
    hasFailed: failures > 0,
  }
}

/** An image that is no longer in the page would load all the same. */
function endLoading(image: HTMLImageElement): void {
  if (!image.complete) image.removeAttribute('src')
}
