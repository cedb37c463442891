import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export interface Claim {
  release(): void
}

const SQLITE_BUSY = 5

/** Held here too, since the garbage collector closes a file that nobody refers to, and the claim with it. */
const held = new Set<DatabaseSync>()

/** Claims a file for this process; undefined when it is claimed already. The kernel frees the claim when the
 *  process ends, however it ends. Node has no flock: an exclusive transaction of SQLite is the operating system's
 *  lock on a file, and nothing is ever written to it. */
export function claimFile(path: string): Claim | undefined {
  createPrivately(path)
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw error
  }
  held.add(file)
  return {
    release() {
      if (held.delete(file)) file.close()
    },
  }
}

/** Whoever can read the file could lock it too. A file that is there is not opened: a process that closes any
 *  handle on a file loses its locks on it (fcntl(2)), and the claim may be ours. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
