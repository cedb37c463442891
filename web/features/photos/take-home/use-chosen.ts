import { useEffect, useState } from 'react'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import type { KeptGrid } from '../kept-grid.ts'
import { pathOf } from '../photo-path.ts'

export interface Chosen {
  /** Whether a tap on a photo chooses it instead of opening it. */
  isChoosing: boolean
  count: number
  has(photo: ResultPhoto): boolean
  toggle(photo: ResultPhoto): void
  /** Begins to choose, with these photos. */
  choose(photos: readonly ResultPhoto[]): void
  /** Ends choosing. */
  leave(): void
}

/** The photos that a visitor has chosen. They stay chosen when their addresses are renewed.
 *  @param kept has those that were chosen before, and keeps these */
export function useChosen(kept?: KeptGrid): Chosen {
  const [paths, setPaths] = useState(kept?.chosen)
  useEffect(() => {
    if (kept) kept.chosen = paths
  }, [kept, paths])
  return {
    isChoosing: paths !== undefined,
    count: paths?.size ?? 0,
    has: (photo) => paths?.has(pathOf(photo)) ?? false,
    toggle: (photo) =>
      setPaths((former) => {
        const next = new Set(former)
        if (!next.delete(pathOf(photo))) next.add(pathOf(photo))
        return next
      }),
    choose: (photos) => setPaths(new Set(photos.map(pathOf))),
    leave: () => setPaths(undefined),
  }
}
