import { type ComponentProps, useCallback, useState } from 'react'
import { useTryAgain } from '../../lib/use-try-again.ts'
import type { PhotoThumbProps } from './photo-thumb.tsx'

/** Loads an image when the browser thinks that it is needed. One that fails is tried again after a while, and as soon as
 *  the browser is online again. */
export function useImage({ src, issued, onFail }: PhotoThumbProps) {
  /** `failures`: in a row. */
  const [taken, setTaken] = useState({ src, issued, attempt: 0, failures: 0, step: 'loading' })
  const { attempt, failures, step } = taken
  const load = (failed: number) =>
    setTaken({ src, issued, attempt: attempt + 1, failures: failed, step: 'loading' })
  if (step !== 'shown' && (taken.src !== src || taken.issued !== issued)) load(0)
  useTryAgain(step === 'failed' ? failures : 0, () => load(failures))
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
      onLoad: () => setTaken({ ...taken, failures: 0, step: 'shown' }),
      onError() {
        setTaken({ ...taken, failures: failures + 1, step: 'failed' })
        if (failures === 0) onFail?.()
      },
    } satisfies ComponentProps<'img'>,
    isShown: step === 'shown',
    /** It did not load. It may be loading again, which the visitor need not see. */
    hasFailed: failures > 0,
    /** Loads it again, because the visitor asks for it. */
    retry: () => load(0),
  }
}

/** An image that is no longer in the page would load all the same. */
function endLoading(image: HTMLImageElement): void {
  if (!image.complete) image.removeAttribute('src')
}
