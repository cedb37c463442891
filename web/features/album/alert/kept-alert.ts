import { KEPT_ALERT } from '../../../lib/guest-names.ts'

/** An alert that this browser keeps. */
export interface KeptAlert {
  /** Ends the letters. */
  endToken: string
  /** When they end by themselves, as an ISO date. */
  endsAt: string
}

const keyOf = (albumName: string) => KEPT_ALERT + albumName

/** Null when nothing is kept, or it has ended. */
export function readKeptAlert(albumName: string): KeptAlert | null {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(keyOf(albumName)) ?? 'null')
    if (isKeptAlert(kept) && Date.parse(kept.endsAt) > Date.now()) return kept
  } catch {
    // The browser's settings block storage, or the value is not ours.
  }
  forgetKeptAlert(albumName)
  return null
}

/** If the browser can keep nothing, the links in the letters still end the letters. */
export function keepAlert(albumName: string, { endToken, endsAt }: KeptAlert): void {
  try {
    window.localStorage.setItem(keyOf(albumName), JSON.stringify({ endToken, endsAt }))
  } catch {
    // As above.
  }
}

export function forgetKeptAlert(albumName: string): void {
  try {
    window.localStorage.removeItem(keyOf(albumName))
  } catch {
    // As above.
  }
}

function isKeptAlert(value: unknown): value is KeptAlert {
  return (
    typeof value === 'object' &&
    value !== null &&
    'endToken' in value &&
    typeof value.endToken === 'string' &&
    'endsAt' in value &&
    typeof value.endsAt === 'string'
  )
}
