import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export interface Claim {
  release(): void
}

const SQLITE_BUSY = 5

/** Keeps the claimed files reachable: the garbage collector would close them, which would end the claim. */
const held = new Set<DatabaseSync>()

/** Claims a file for this process. The kernel frees the claim when the process ends, even after a crash.
 *  Node has no flock, so the claim is an exclusive SQLite transaction, which locks the file through the operating
 *  system. Nothing is ever written to the file.
 *  @returns undefined when the file is already claimed */
export function claimFile(path: string): Claim | undefined {
  createPrivately(path)
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    // Without a journal on the disk, which may be full.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
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

/** Only this account may read the file, because any account that can read it can lock it. An existing file is not
 *  opened: a process that closes any handle of a file loses its locks on that file (fcntl(2)), and this process
 *  may hold the claim. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
