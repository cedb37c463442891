import { useEffect, useEffectEvent, useState } from 'react'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'

export interface LoadedPhotos {
  /** Those that have been loaded. */
  photos: readonly ResultPhoto[]
  /** How many there are, with those that have not been loaded. */
  total: number
  isLoadingMore: boolean
  /** Loads more photos. Resolves to false when that has failed. Missing where they load by themselves. */
  loadMore?: (() => Promise<boolean>) | undefined
}

type Work = (all: readonly ResultPhoto[]) => void

/** Gives all photos to a piece of work, as soon as the last ones have been loaded. A second piece replaces the first. */
export function useAllPhotos({ photos, total, isLoadingMore, loadMore }: LoadedPhotos) {
  const [work, setWork] = useState<Work>()
  const isComplete = photos.length >= total
  const goOn = useEffectEvent(async () => {
    if (isComplete) {
      setWork(undefined)
      work?.(photos)
    } else if (loadMore && !isLoadingMore && !(await loadMore())) setWork(undefined)
  })
  const isLoadingAll = work !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: more photos have come, so the next ones are loaded.
  useEffect(() => {
    if (isLoadingAll) void goOn()
  }, [isLoadingAll, isComplete, isLoadingMore, photos.length])

  return { isLoadingAll, withAll: (next: Work) => (isComplete ? next(photos) : setWork(() => next)) }
}
