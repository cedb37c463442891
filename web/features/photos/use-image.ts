import { type ComponentProps, useState } from 'react'
import { useTryAgain } from '../../lib/use-try-again.ts'

export interface ImageOptions {
  /** A fresh one is used unless the image is already shown. */
  src: string
  /** When the address was issued, ms since 1970. An image that failed is loaded again when this changes. */
  issued: number | undefined
  /** The address was refused, or could not be reached. Not called again when it is tried again by itself. */
  onFail: (() => void) | undefined
}

export interface LoadedImage {
  /** Of the image element: another one loads the same address again. */
  key: number
  /** For the image element. */
  image: ComponentProps<'img'>
  isShown: boolean
  /** It did not load. It may be loading again, which the visitor need not see. */
  hasFailed: boolean
  /** Loads it again, because the visitor asks for it. */
  retry(): void
}

/** Loads an image when the browser thinks that it is needed. One that fails is tried again after a while, and as soon as
 *  the browser is online again. */
export function useImage({ src, issued, onFail }: ImageOptions): LoadedImage {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  /** In a row. */
  const [failures, setFailures] = useState(0)
  const [taken, setTaken] = useState({ src, issued, attempt: 0 })
  if (state !== 'shown' && (taken.src !== src || taken.issued !== issued)) load(0)

  function load(failed: number): void {
    setTaken({ src, issued, attempt: taken.attempt + 1 })
    setFailures(failed)
    setState('loading')
  }
  useTryAgain(state === 'failed' ? failures : 0, () => load(failures))

  return {
    key: taken.attempt,
    image: {
      ref: endLoading,
      // Before the address: some browsers begin to load at once.
      loading: 'lazy',
      decoding: 'async',
      src: taken.src,
      onLoad() {
        setFailures(0)
        setState('shown')
      },
      onError() {
        setFailures(failures + 1)
        setState('failed')
        if (failures === 0) onFail?.()
      },
    },
    isShown: state === 'shown',
    hasFailed: failures > 0,
    retry: () => load(0),
  }
}

/** An image that is no longer in the page would load all the same. */
const endLoading = (image: HTMLImageElement | null) => () => {
  if (image && !image.complete) image.removeAttribute('src')
}
