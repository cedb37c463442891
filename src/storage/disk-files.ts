import { constants, type Dirent } from 'node:fs'
import { type FileHandle, open, readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errno, isMissing } from './disk-faults.ts'

/** The photos show real people, so only the service's own account may read them. */
export const FILE_MODE = 0o600
export const FOLDER_MODE = 0o700

/** Opens a file, or creates it if the flags say so, and closes it after use. */
export async function withFile(
  path: string,
  flags: number,
  use: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const handle = await open(path, flags, FILE_MODE)
  try {
    await use(handle)
  } finally {
    await handle.close()
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  await withFile(folder, constants.O_RDONLY, (handle) => handle.sync())
}

/** What is in a folder; nothing when it is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await entriesOf(folder)).map(({ name }) => name)
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch((error) => {
    if (isMissing(error)) return []
    throw error
  })
}

/** How many files a folder has, in all folders below it; 0 when it is missing. */
export async function countFiles(folder: string): Promise<number> {
  let files = 0
  for (const entry of await entriesOf(folder))
    files += entry.isDirectory() ? await countFiles(join(folder, entry.name)) : 1
  return files
}

/** Removes a folder, unless something is in it.
 *  @returns whether it was removed */
export async function removedWhenEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    if (errno(error) === 'ENOTEMPTY' || errno(error) === 'EEXIST') return false
    throw error
  }
}
