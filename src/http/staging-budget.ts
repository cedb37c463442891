import { AppError } from '../errors.ts'

/** How long an upload waits for others to end, in ms. */
const WAIT_MS = 10_000

/** The bytes of all unfinished uploads of this process. */
export interface StagingBudget {
  /** Takes bytes for an upload. Waits some seconds while too many are in use.
   *  @param holders the album and the caller of the upload; each of them gets half of all bytes at most
   *  @returns undefined when the bytes are available at once
   *  @throws AppError SERVICE_UNAVAILABLE */
  take(bytes: number, holders: string[]): Promise<void> | undefined
  giveBack(bytes: number, holders: string[]): void
}

/** @param maximum bytes in all
 *  @param waitMs only tests set it */
export function createStagingBudget(maximum: number, waitMs = WAIT_MS): StagingBudget {
  const share = maximum / 2
  let inUse = 0
  const heldBy = new Map<string, number>()
  const waiting = new Set<() => boolean>()

  const add = (bytes: number, holders: string[]) => {
    inUse += bytes
    for (const holder of holders) {
      const held = (heldBy.get(holder) ?? 0) + bytes
      if (held > 0) heldBy.set(holder, held)
      else heldBy.delete(holder)
    }
  }
  const tryToTake = (bytes: number, holders: string[]) => {
    const fits =
      inUse + bytes <= maximum && holders.every((holder) => (heldBy.get(holder) ?? 0) + bytes <= share)
    if (fits) add(bytes, holders)
    return fits
  }

  return {
    take(bytes, holders) {
      if (tryToTake(bytes, holders)) return undefined
      return new Promise((resolve, reject) => {
        const attempt = () => {
          if (!tryToTake(bytes, holders)) return false
          clearTimeout(timer)
          resolve()
          return true
        }
        const timer = setTimeout(() => {
          waiting.delete(attempt)
          reject(tooManyUploads())
        }, waitMs)
        waiting.add(attempt)
      })
    },
    giveBack(bytes, holders) {
      add(-bytes, holders)
      for (const attempt of waiting) if (attempt()) waiting.delete(attempt)
    },
  }
}

export const tooManyUploads = () =>
  new AppError('SERVICE_UNAVAILABLE', 'Too many photos are being uploaded at the moment', {
    retryAfter: 10,
    isBusy: true,
  })
