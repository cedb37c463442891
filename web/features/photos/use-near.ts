import { type RefObject, useEffect, useState } from 'react'

/** Says whether an element is at most half a window height above or below the window. */
export function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setIsNear(entries.at(-1)!.isIntersecting), {
      rootMargin: '50% 0px',
    })
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [element])
  return isNear
}
