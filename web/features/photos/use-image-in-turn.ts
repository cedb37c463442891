import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTryAgain } from '../../lib/use-try-again.ts'
import { takeTurn } from './take-turn.ts'

/** Ms after which a picture counts as failed: a lost connection may report nothing. */
const STALLED_MS = 30_000
export interface ImageInTurnOptions {
  /** A fresh one is used unless the image is already shown. */
  src: string
  /** When the address was issued, ms since 1970. An image that failed is loaded again when this changes. */
  issued: number | undefined
  /** Only what is near the window loads. */
  isNear: boolean
  /** The address was refused, or could not be reached. Not called again when it is tried again by itself. */
  onFail: (() => void) | undefined
}

export interface ImageInTurn {
  /** Of the image. This hook sets its `src`. */
  image: RefObject<HTMLImageElement | null>
  isShown: boolean
  /** It did not load. It may be loading again, which the visitor need not see. */
  hasFailed: boolean
  /** For the image. */
  onLoad(): void
  onError(): void
  /** Loads it again, because the visitor asks for it. */
  retry(): void
}

/** Loads an image when its turn has come (see take-turn.ts). An image that fails is tried again after a while, and as soon
 *  as the browser is online again. Loading stops when the image is no longer near. */
export function useImageInTurn({ src, issued, isNear, onFail }: ImageInTurnOptions): ImageInTurn {
  const image = useRef<HTMLImageElement>(null)
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  /** In a row. */
  const [failures, setFailures] = useState(0)
  const [taken, setTaken] = useState({ src, issued })
  if (state !== 'shown' && (taken.src !== src || taken.issued !== issued)) {
    setTaken({ src, issued })
    setFailures(0)
    setState('loading')
  }

  const fail = useEffectEvent(() => {
    setFailures(failures + 1)
    setState('failed')
  })

  useEffect(() => {
    if (state !== 'loading' || !isNear) return
    const element = image.current!
    let stalled: ReturnType<typeof setTimeout> | undefined
    const leave = takeTurn(element, () => {
      // A browser loads the same address again only after it was removed.
      element.removeAttribute('src')
      element.src = taken.src
      stalled = setTimeout(() => fail(), STALLED_MS)
    })
    return () => {
      clearTimeout(stalled)
      // This ends the request.
      if (!element.complete) element.removeAttribute('src')
      leave()
    }
  }, [state, isNear, taken])

  useTryAgain(state === 'failed' ? failures : 0, () => setState('loading'))

  return {
    image,
    isShown: state === 'shown',
    hasFailed: failures > 0,
    onLoad() {
      setFailures(0)
      setState('shown')
    },
    onError() {
      setFailures(failures + 1)
      setState('failed')
      if (failures === 0) onFail?.()
    },
    retry() {
      setFailures(0)
      setState('loading')
    },
  }
}
