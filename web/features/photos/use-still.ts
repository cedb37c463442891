import { type PointerEvent, useRef, useState } from 'react'

/** Ms. The second press of a double tap or click comes sooner. */
export const STILL_MS = 500

/** Tells presses of what the visitor has seen from those of what slid under the finger: the second press of a double tap
 *  belongs to what was there before.
 *  @param order changes when the controls move */
export function useStill(order: string): {
  /** For what the controls are in. */
  onPointerDownCapture: (press: PointerEvent) => void
  /** Whether a click counts. @param detail of the event: 0 without a pointer, as from a keyboard */
  isMeant(detail: number): boolean
} {
  const [moved, setMoved] = useState({ order, at: Number.NEGATIVE_INFINITY })
  if (moved.order !== order) setMoved({ order, at: performance.now() })
  const pressedAt = useRef<number>(undefined)
  return {
    onPointerDownCapture() {
      pressedAt.current = performance.now()
    },
    isMeant(detail) {
      // Some assistive software clicks without a press.
      const at = pressedAt.current ?? performance.now()
      pressedAt.current = undefined
      return detail === 0 || at - moved.at >= STILL_MS
    },
  }
}
