import { upload as texts } from '../../../src/texts/english.ts'
import { RequestFailure } from '../../lib/failure.ts'

/** The reason of a photo that could be read when it was chosen, but not when it was to be sent. */
export const NO_LONGER_READABLE = texts.unreadable

/** Ms to wait for a disk. A photo on a slow disk counts as readable. */
const ANSWER_MS = 10_000

/** Whether a chosen file can still be read as it was. A browser keeps no copy of it. Chromium and WebKit refuse to read
 *  a file that was moved or changed since, or whose disk was ejected. Gecko refuses only a file that is missing
 *  (https://github.com/w3c/FileAPI/issues/47). */
export function isReadable(photo: File): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isThere: boolean) => {
      clearTimeout(timer)
      resolve(isThere)
    }
    const timer = setTimeout(settle, ANSWER_MS, true)
    photo
      .slice(0, 1)
      .arrayBuffer()
      .then(
        () => settle(true),
        () => settle(false),
      )
  })
}

/** Whether a request may have failed because of a file that cannot be read. Then Chromium fails all of it, WebKit
 *  lets it hang, and Gecko sends an empty form, which is a bad request. */
export function mayBeUnreadable(error: unknown): boolean {
  if (!(error instanceof RequestFailure) || error.foreignStatus !== 0) return false
  return error.status === 0 || error.status === 400
}
