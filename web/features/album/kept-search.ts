import { KEPT_SEARCH } from '../../lib/guest-names.ts'
import type { KeptSearch } from './found.ts'

/** The search of an album whose results this tab shows, for its hour: a reload, or a way back, finds them again. There is no
 *  selfie in it. The service refuses what has ended. */

const keyOf = (albumName: string) => KEPT_SEARCH + albumName

/** Null when nothing is kept. */
export function readKeptSearch(albumName: string): KeptSearch | null {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(keyOf(albumName)) ?? 'null')
    if (isKeptSearch(kept)) return kept
  } catch {
    // The browser's settings block storage, or the value is not ours.
  }
  return null
}

/** If the browser can keep nothing, a reload ends the search. */
export function keepSearch(albumName: string, kept: KeptSearch): void {
  try {
    window.sessionStorage.setItem(keyOf(albumName), JSON.stringify(kept))
  } catch {
    // As above, or it is full. What it had kept before is no longer true.
    forgetKeptSearch(albumName)
  }
}

export function forgetKeptSearch(albumName: string): void {
  try {
    window.sessionStorage.removeItem(keyOf(albumName))
  } catch {
    // As above.
  }
}

function isKeptSearch(value: unknown): value is KeptSearch {
  return (
    typeof value === 'object' &&
    value !== null &&
    'searchToken' in value &&
    typeof value.searchToken === 'string' &&
    'answers' in value &&
    Array.isArray(value.answers)
  )
}
