import { RequestFailure } from '../../lib/failure.ts'

/** The reason of a photo that was there when it was chosen, and no longer when its turn came. */
export const NO_LONGER_READABLE = 'This file has been moved or changed since it was chosen. Choose it again.'

/** Ms that a disk has to answer: one that is asleep or far away is no reason to give a photo up. */
const ANSWER_MS = 10_000

/** Whether a chosen file is still what it was. A browser keeps no copy: reads of a file that was moved, changed or
 *  ejected since are refused by Chromium and WebKit, of one that is gone by Gecko, too
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
  return error instanceof RequestFailure && (error.status === 0 || error.status === 400)
}
