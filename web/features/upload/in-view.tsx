import { type ReactNode, useEffect, useRef } from 'react'
import { isFocusLost } from '../../lib/focus.ts'

/** Scrolls what has just appeared to the middle of the window, where no toast covers it. Gives it the focus if nothing
 *  else has it. The button that starts an upload is below all photos and is then disabled. The progress appears above
 *  the photos, and a failure below. */
export function InView({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not.
    void place.current?.scrollIntoView({ block: 'center' })
    if (isFocusLost()) place.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {children}
    </div>
  )
}
