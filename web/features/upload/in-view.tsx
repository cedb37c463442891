import { type ReactNode, useEffect, useRef } from 'react'
import { isFocusLost } from '../../lib/focus.ts'

/** Scrolls what has just appeared into view, and gives it the focus if nothing else has it. The button that starts an
 *  upload is below all photos and is then disabled. The progress appears above the photos, and a failure below. */
export function InView({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not.
    void place.current?.scrollIntoView({ block: 'nearest' })
    if (isFocusLost()) place.current?.focus({ preventScroll: true })
  }, [])
  // The margin leaves room for the button at the foot of a phone's screen.
  return (
    <div ref={place} tabIndex={-1} className="scroll-mb-28 outline-none sm:scroll-mb-6">
      {children}
    </div>
  )
}
