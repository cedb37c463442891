import { useState } from 'react'

/** Ms. The second press of a double tap or click comes sooner. */
export const STILL_MS = 500

/** Tells presses of what the visitor has seen from those of what slid under the finger: the second press of a double tap
 *  belongs to what was there before.
 *  @param order changes when the controls move
 *  @returns whether a click counts, by its `detail`: 0 without a pointer, as from a keyboard */
export function useStill(order: string): (detail: number) => boolean {
  const [moved, setMoved] = useState({ order, at: Number.NEGATIVE_INFINITY })
  if (moved.order !== order) setMoved({ order, at: performance.now() })
  return (detail) => detail === 0 || performance.now() - moved.at >= STILL_MS
}
