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
  // Whoever can read the file could lock it too.
  closeSync(openSync(path, 'a', 0o600))
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
      held.delete(file)
      file.close()
    },
  }
}
