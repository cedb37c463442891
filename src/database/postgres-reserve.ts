import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Log } from '../log.ts'

export interface ReserveOptions {
  /** Bytes; 0 for no reserve. */
  bytes: number
  /** Bytes of the disk that are free also when the reserve exists: otherwise it is not made. */
  minimumFree: number
}

/** Space on the disk of the embedded Postgres that it gets when the disk is full. Then it starts, and what fills the disk
 *  can be deleted. */
export interface Reserve {
  /** Whether there is space to be given up. */
  isHeld(): Promise<boolean>
  /** Gives the space up if the disk is full. */
  giveUpWhenFull(): Promise<void>
  /** Ends the watch over the disk. The file remains. */
  close(): Promise<void>
}

/** Less than this is a full disk: Postgres writes its log in segments of 16 MB. */
const FULL_BYTES = 48 * 2 ** 20
/** Ms between two looks at the disk. */
const WATCH_MS = 2_000
const BLOCK_BYTES = 2 ** 20

export const reservePath = (home: string) => join(home, 'reserve')

/** Makes the reserve as soon as the disk has room for it, also again after it was given up. Gives it up when the disk is
 *  full, even if Postgres still runs.
 *  @param home the folder of the database */
export function keepReserve(home: string, { bytes, minimumFree }: ReserveOptions, log: Log): Reserve {
  const path = reservePath(home)
  const draft = `${path}.new`
  const closing = new AbortController()
  let isLackSaid = false
  // A process that was killed may have left a draft.
  const cleaned = removeAll(bytes > 0 ? [draft] : [draft, path]).catch((error) =>
    log.warn({ err: error }, 'What is left of a reserve of Postgres could not be removed'),
  )

  async function make(): Promise<void> {
    // After it was given up there must be some space to spare, or it would come and go.
    const needed = bytes + Math.max(minimumFree, 2 * FULL_BYTES)
    if ((await freeBytes(home)) < needed) {
      if (!isLackSaid) log.warn({ neededMb: mb(needed) }, 'The disk has no room for the reserve of Postgres')
      isLackSaid = true
      return
    }
    await fill(draft, bytes, closing.signal)
    if (closing.signal.aborted) return await rm(draft, { force: true })
    await rename(draft, path)
    if (isLackSaid) log.warn({ mb: mb(bytes) }, 'The disk has room again. The reserve of Postgres is back')
    isLackSaid = false
  }

  async function giveUpWhenFull(): Promise<void> {
    await cleaned
    const size = await sizeOf(path)
    if (size === undefined || (await freeBytes(home)) >= FULL_BYTES) return
    await rm(path, { force: true })
    isLackSaid = true
    log.error(
      { mb: mb(size) },
      'The disk is full. Postgres got its reserve, so albums can be erased. Please free some space',
    )
  }

  async function look(): Promise<void> {
    // One of another size stays until there is room for this one.
    if ((await sizeOf(path)) !== bytes) await make()
    await giveUpWhenFull()
  }

  async function watch(): Promise<void> {
    const { signal } = closing
    const pause = () => setTimeout(WATCH_MS, undefined, { signal, ref: false }).catch(() => undefined)
    await cleaned
    // Postgres starts first.
    for (await pause(); !signal.aborted; await pause())
      await look().catch(async (error) => {
        await rm(draft, { force: true })
        log.warn({ err: error }, 'The reserve of Postgres could not be made or given up')
      })
  }

  const watching = bytes > 0 ? watch() : cleaned
  return {
    isHeld: async () => (await sizeOf(path)) !== undefined,
    giveUpWhenFull,
    async close() {
      closing.abort()
      await watching
    },
  }
}

/** Writes a file whose blocks are really taken: random bytes, because some file systems keep no blocks of zeros. */
async function fill(path: string, bytes: number, signal: AbortSignal): Promise<void> {
  const file: FileHandle = await open(path, 'w', 0o600)
  try {
    for (let left = bytes; left > 0 && !signal.aborted; left -= BLOCK_BYTES)
      await file.write(randomBytes(Math.min(left, BLOCK_BYTES)))
    await file.sync()
  } finally {
    await file.close()
  }
}

const removeAll = (paths: string[]) => Promise.all(paths.map((path) => rm(path, { force: true })))

async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return found?.size
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const mb = (bytes: number) => Math.floor(bytes / 1e6)
