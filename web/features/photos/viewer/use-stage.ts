import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTryAgain } from '../../../lib/use-try-again.ts'
import type { PhotoLoading } from '../grid/photo-tile.tsx'
import type { ViewedPhoto } from '../photo-path.ts'
import { createStage, type PictureState, type Stage } from './stage.ts'

export interface StageUse extends Pick<PhotoLoading, 'issued' | 'onFail'> {
  photos: readonly ViewedPhoto[]
  first: number
  isFaceMarked: boolean
  onShow: (index: number) => void
  onTap: () => void
  onClose: () => void
}

export interface StageInUse {
  /** Of the element that has the stage. */
  host: RefObject<HTMLDivElement | null>
  /** Of the photo that is shown. */
  index: number
  state: PictureState
  step(by: number): void
  /** Loads the photo that is shown again. */
  retry(): void
}

/** A stage with photos that may change, or get fresh addresses. A photo that fails is tried again after a while, and as
 *  soon as the browser is online again. */
export function useStage(use: StageUse): StageInUse {
  const { photos, first, issued, isFaceMarked } = use
  const host = useRef<HTMLDivElement>(null)
  const stage = useRef<Stage>(undefined)
  const [shown, setShown] = useState<{ index: number; state: PictureState }>({
    index: first,
    state: 'loading',
  })
  /** Of the photo that is shown, in a row. */
  const [failures, setFailures] = useState(0)
  /** What the stage said last. Two changes can come before the page is drawn again. */
  const last = useRef(shown)

  const change = useEffectEvent((index: number, state: PictureState) => {
    if (index !== last.current.index || state === 'shown') setFailures(0)
    if (state === 'failed' && last.current.state !== 'failed') {
      setFailures((before) => before + 1)
      if (failures === 0) use.onFail?.()
    }
    last.current = { index, state }
    setShown(last.current)
    use.onShow(index)
  })
  const tap = useEffectEvent(() => use.onTap())
  const close = useEffectEvent(() => use.onClose())
  const begin = useEffectEvent(() =>
    createStage({ host: host.current!, photos, first, onChange: change, onTap: tap, onClose: close }),
  )

  useLayoutEffect(() => {
    const begun = begin()
    stage.current = begun
    return () => begun.destroy()
  }, [])
  useEffect(() => stage.current!.take(photos), [photos])
  useEffect(() => stage.current!.markFace(isFaceMarked), [isFaceMarked])
  // biome-ignore lint/correctness/useExhaustiveDependencies: fresh addresses may look like the former ones.
  useEffect(() => stage.current!.retry(), [issued])

  useTryAgain(shown.state === 'failed' ? failures : 0, () => stage.current!.retry())

  return {
    host,
    ...shown,
    step: (by) => stage.current!.step(by),
    retry: () => stage.current!.retry(),
  }
}
