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

/** Gives all photos to a piece of work, as soon as the last ones have been loaded. */
export function useAllPhotos({ photos, total, isLoadingMore, loadMore }: LoadedPhotos) {
  const [work, setWork] = useState<(all: readonly ResultPhoto[]) => void>()
  const isComplete = photos.length >= total
  const goOn = useEffectEvent(async () => {
    if (isComplete) {
      setWork(undefined)
      work?.(photos)
    } else if (loadMore && !isLoadingMore && !(await loadMore())) setWork(undefined)
  })
  const isWanted = work !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: more photos have come, so the next ones are loaded.
  useEffect(() => {
    if (isWanted) void goOn()
  }, [isWanted, isComplete, isLoadingMore, photos.length])

  return {
    /** Whether photos are being loaded for the work. */
    isLoadingAll: isWanted,
    /** A second piece of work replaces the first. */
    withAll: (next: (all: readonly ResultPhoto[]) => void) =>
      isComplete ? next(photos) : setWork(() => next),
  }
}
