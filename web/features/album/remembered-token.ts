import { REMEMBERED } from '../../lib/guest-names.ts'

/** What a visitor has let this browser keep of them, for one album. */
export interface Remembered {
  /** Finds the visitor without a selfie. Only the service can read it. */
  searchToken: string
  /** When it ends, as an ISO date. */
  endsAt: string
  /** The ids of the photos that the last visit found. */
  photoIds: string[]
}

/** Null when nothing is kept, or it has ended. */
export function readRemembered(albumName: string): Remembered | null {
  forgetEnded()
  return read(REMEMBERED + albumName)
}

/** @throws when the browser's settings block storage, or it is full */
export function saveRemembered(albumName: string, remembered: Remembered): void {
  window.localStorage.setItem(REMEMBERED + albumName, JSON.stringify(remembered))
}

export function forgetRemembered(albumName: string): void {
  try {
    window.localStorage.removeItem(REMEMBERED + albumName)
  } catch {
    // Storage is blocked, so nothing was kept.
  }
}

/** Removes what has ended, for every album. The visitor may never open some of them again. */
function forgetEnded(): void {
  try {
    const keys = Object.keys(window.localStorage).filter((key) => key.startsWith(REMEMBERED))
    for (const key of keys) if (read(key) === null) window.localStorage.removeItem(key)
  } catch {
    // As above.
  }
}

function read(key: string): Remembered | null {
  try {
    const saved: unknown = JSON.parse(window.localStorage.getItem(key) ?? 'null')
    return isRemembered(saved) && Date.parse(saved.endsAt) > Date.now() ? saved : null
  } catch {
    return null
  }
}

function isRemembered(value: unknown): value is Remembered {
  return (
    typeof value === 'object' &&
    value !== null &&
    'searchToken' in value &&
    typeof value.searchToken === 'string' &&
    'endsAt' in value &&
    typeof value.endsAt === 'string' &&
    'photoIds' in value &&
    Array.isArray(value.photoIds)
  )
}
