import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { claimFile } from '../database/embedded/claim.ts'

const MEMORY = '/dev/shm'
const PREFIX = 'inframe-run-'
/** Bytes that have to be free. A run uses a fraction of them. */
const ROOM = 6e9

/** Makes a folder for the temporary files of a test run, in memory. It is removed when this process ends. In a test
 *  run thousands of files are created and deleted, which took a fifth of its processor time on a disk.
 *  @returns its path; undefined on a machine that has too little memory */
export function makeFolderInMemory(): string | undefined {
  if (freeMemory() < ROOM) return undefined
  removeLeftovers()
  const folder = mkdtempSync(join(MEMORY, PREFIX))
  claimFile(claimOf(folder))
  // The account of Postgres can enter.
  chmodSync(folder, 0o755)
  process.once('exit', () => remove(folder))
  return folder
}

function freeMemory(): number {
  if (!existsSync(MEMORY)) return 0
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, process.availableMemory())
}

/** Removes the folders of runs that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const folder = join(MEMORY, name)
    if (name.startsWith(PREFIX) && claimFile(claimOf(folder))) remove(folder)
  }
}

const claimOf = (folder: string) => join(folder, 'claim')

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
