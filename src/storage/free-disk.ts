import { statfs } from 'node:fs/promises'
import { atMostEvery } from '../at-most-every.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'

/** How long an answer of the disk is used, in ms. */
const ANSWER_MS = 1_000
/** Ms between two warnings while there is too little free disk. */
const WARN_EVERY_MS = 10 * 60 * 1000
const RETRY_AFTER_SECONDS = 60

/** Protects the free disk that the database, running jobs and everything but uploads need. */
export interface FreeDisk {
  /** @throws AppError SERVICE_UNAVAILABLE when a folder's disk has less than the minimum */
  require(): Promise<void>
}

/** @param minimum bytes that remain free, for callers without special rights */
export function createFreeDisk(folders: string[], minimum: number, log: Log): FreeDisk {
  let warnedAt = Number.NEGATIVE_INFINITY
  const least = atMostEvery(ANSWER_MS, async () => Math.min(...(await Promise.all(folders.map(freeBytes)))))

  return {
    async require() {
      const free = await least()
      if (free >= minimum) return
      if (performance.now() - warnedAt > WARN_EVERY_MS) {
        warnedAt = performance.now()
        log.warn(
          { freeMb: Math.floor(free / 1e6), minimumMb: minimum / 1e6 },
          'The disk is almost full, so uploads are refused. DISK_FREE_MIN_MB is the limit',
        )
      }
      throw diskAlmostFull()
    },
  }
}

/** Bytes that this process may still write on the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export const diskAlmostFull = () =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'The disk of this service is almost full, so it takes no photos at the moment',
    { retryAfter: RETRY_AFTER_SECONDS },
  )
