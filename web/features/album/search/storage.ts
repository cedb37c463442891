/** What a guest's browser keeps of a search. Where its settings block storage, it keeps nothing. */
import { KEPT_ALERT, KEPT_SEARCH, REMEMBERED } from '../../../lib/guest-names.ts'
import type { KeptSearch, Remembered } from './found.ts'

/** What finds the visitor of an album without a selfie. Null when nothing is kept, or it has ended. What has ended is removed
 *  for every album: the visitor may never open some of them again. */
export function readRemembered(albumName: string): Remembered | null {
  try {
    const { localStorage } = window
    for (const key of Object.keys(localStorage).filter((name) => name.startsWith(REMEMBERED)))
      if (!rememberedIn(localStorage.getItem(key))) localStorage.removeItem(key)
    return rememberedIn(localStorage.getItem(REMEMBERED + albumName))
  } catch {
    return null
  }
}

/** @returns false when the browser cannot keep it */
export function saveRemembered(albumName: string, remembered: Remembered): boolean {
  try {
    window.localStorage.setItem(REMEMBERED + albumName, JSON.stringify(remembered))
    return true
  } catch {
    return false
  }
}

export const forgetRemembered = (albumName: string) => forget('localStorage', REMEMBERED + albumName)

/** Removes what this browser and this tab keep for the guest of an album. */
export function forgetGuest(albumName: string): void {
  forgetRemembered(albumName)
  forget('localStorage', KEPT_ALERT + albumName)
  forget('sessionStorage', KEPT_SEARCH + albumName)
}

function forget(storage: 'localStorage' | 'sessionStorage', key: string): void {
  try {
    window[storage].removeItem(key)
  } catch {
    // Storage is blocked, so nothing was kept.
  }
}

function rememberedIn(text: string | null): Remembered | null {
  const { searchToken, endsAt, photoIds } = objectIn(text)
  const isRight = typeof searchToken === 'string' && typeof endsAt === 'string' && Array.isArray(photoIds)
  return isRight && Date.parse(endsAt) > Date.now() ? { searchToken, endsAt, photoIds } : null
}

/** The search whose results this tab shows, for its hour: a reload, or a way back, finds them again. There is no selfie in it.
 *  The service refuses what has ended. */
export function readKeptSearch(albumName: string): KeptSearch | null {
  try {
    const { searchToken, answers, other } = objectIn(window.sessionStorage.getItem(KEPT_SEARCH + albumName))
    return typeof searchToken === 'string' && Array.isArray(answers) ? { searchToken, answers, other } : null
  } catch {
    return null
  }
}

/** @param kept undefined when there is nothing to keep, or no longer */
export function keepSearch(albumName: string, kept: KeptSearch | undefined): void {
  try {
    // What was kept before is no longer true, also if there is no room for this.
    window.sessionStorage.removeItem(KEPT_SEARCH + albumName)
    if (kept) window.sessionStorage.setItem(KEPT_SEARCH + albumName, JSON.stringify(kept))
  } catch {
    // A reload ends the search.
  }
}

// biome-ignore lint/suspicious/noExplicitAny: this page has written it, and its fields are looked at.
function objectIn(text: string | null): Record<string, any> {
  try {
    return Object(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}
