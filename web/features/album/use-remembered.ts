import { useState } from 'react'
import { forgetRemembered, type Remembered, readRemembered, saveRemembered } from './remembered-token.ts'

export interface RememberedVisitor {
  /** What this browser has kept; null when it has kept nothing. */
  kept: Remembered | null
  /** The photos that the visitor saw at the last visit: those that were kept when the page was opened. */
  seen: ReadonlySet<string>
  /** Whether the service has refused what was kept. */
  wasRefused: boolean
  /** @returns false when the browser's settings do not allow it */
  keep(remembered: Remembered): boolean
  forget(): void
  /** The service has refused what was kept. */
  refuse(): void
}

/** What this browser has kept of the visitor of an album. */
export function useRemembered(albumName: string): RememberedVisitor {
  const [kept, setKept] = useState(() => readRemembered(albumName))
  const [seen] = useState(() => new Set(kept?.photoIds))
  const [wasRefused, setWasRefused] = useState(false)

  function forget() {
    forgetRemembered(albumName)
    setKept(null)
  }

  return {
    kept,
    seen,
    wasRefused,
    keep(remembered) {
      try {
        saveRemembered(albumName, remembered)
      } catch {
        return false
      }
      setKept(remembered)
      setWasRefused(false)
      return true
    },
    forget,
    refuse() {
      forget()
      setWasRefused(true)
    },
  }
}
