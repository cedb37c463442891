import { useState } from 'react'
import { pathOf, type ViewedPhoto } from '../photo-path.ts'

export type Chosen = ReturnType<typeof useChosen>

/** The photos that a visitor has chosen. They stay chosen when their addresses are renewed. */
export function useChosen() {
  const [paths, setPaths] = useState<ReadonlySet<string>>()
  return {
    /** Whether a tap on a photo chooses it instead of opening it. */
    isChoosing: paths !== undefined,
    count: paths?.size ?? 0,
    has: (photo: ViewedPhoto) => paths?.has(pathOf(photo)) ?? false,
    /** @param _isRange the visitor has pressed the shift key */
    toggle: (photo: ViewedPhoto, _isRange?: boolean) =>
      setPaths((former) => {
        const next = new Set(former)
        if (!next.delete(pathOf(photo))) next.add(pathOf(photo))
        return next
      }),
    /** Begins to choose, with these photos. */
    choose: (photos: readonly ViewedPhoto[]) => setPaths(new Set(photos.map(pathOf))),
    /** Ends choosing. */
    leave: () => setPaths(undefined),
  }
}
