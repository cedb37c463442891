import { statfs } from 'node:fs/promises'
import { atMostEvery } from '../at-most-every.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { FileStorage } from './file-storage.ts'

/** How long an answer of the disk is used, in ms. */
const ANSWER_MS = 1_000
/** Ms between two warnings while there is too little free disk. */
const WARN_EVERY_MS = 10 * 60 * 1000
const RETRY_AFTER_SECONDS = 60

/** Keeps some of the disk free for the database. Code that writes a file asks first; only Postgres does not. */
export interface FreeDisk {
  /** Asks for room for a file, or for a part of one. Without `bytes` it only asks whether there is room at all.
   *  @throws AppError SERVICE_UNAVAILABLE when a folder's disk would then have less than the minimum */
  require(bytes?: number): Promise<void>
}

/** @param minimum bytes that remain free, for callers without special rights
 *  @param freeIn asks a folder's disk */
export function createFreeDisk({
  folders,
  minimum,
  log,
  freeIn = freeBytes,
}: {
  folders: string[]
  minimum: number
  log: Log
  freeIn?: typeof freeBytes
}): FreeDisk {
  let warnedAt = Number.NEGATIVE_INFINITY
  /** Bytes that were asked for and are not in the disk's last answer. */
  let given = 0
  const least = atMostEvery(ANSWER_MS, async () => {
    const before = given
    const free = Math.min(...(await Promise.all(folders.map(freeIn))))
    given -= before
    return free
  })

  return {
    async require(bytes = 0) {
      const free = (await least()) - given
      if (free - bytes >= minimum) {
        given += bytes
        return
      }
      if (performance.now() - warnedAt > WARN_EVERY_MS) {
        warnedAt = performance.now()
        log.warn(
          { freeMb: Math.floor(free / 1e6), minimumMb: minimum / 1e6 },
          'The disk is almost full, so nothing new is stored. DISK_FREE_MIN_MB is the limit',
        )
      }
      throw diskAlmostFull()
    },
  }
}

/** A storage on a disk that writes nothing new while the disk is almost full. A file that moves into it is on the
 *  disk already: there was room for it when it was written.
 *  @throws AppError SERVICE_UNAVAILABLE from `write` */
export function aboveMinimum(storage: FileStorage, freeDisk: FreeDisk): FileStorage {
  return {
    ...storage,
    async write(key, bytes, mediaType) {
      await freeDisk.require(bytes.length)
      await storage.write(key, bytes, mediaType)
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
    'The disk of this service is almost full, so nothing new can be stored at the moment',
    { retryAfter: RETRY_AFTER_SECONDS, isBusy: true },
  )
