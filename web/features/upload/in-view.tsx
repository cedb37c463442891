import { type ReactNode, useEffect, useRef } from 'react'

/** Scrolls as little as it takes to show what has just appeared. The button that starts an upload stands below all
 *  photos: its progress appears above them, and its failure below. */
export function InView({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not.
    void place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  // The margin is what the button takes that stands at the foot of a phone's screen.
  return (
    <div ref={place} className="scroll-mb-28 sm:scroll-mb-6">
      {children}
    </div>
  )
}
