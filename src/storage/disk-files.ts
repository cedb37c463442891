import { constants, type Dirent } from 'node:fs'
import { type FileHandle, open, readdir, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errno, isMissing } from './disk-faults.ts'

/** The photos show real people, so only the service's own account may read them. */
const FILE_MODE = 0o600
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

/** What SMB, FUSE and vfat answer when they know no such call. */
const NOT_KNOWN = new Set(['EPERM', 'EINVAL', 'ENOTSUP', 'ENOSYS'])

/** Makes the names in a folder durable, if its disk can do that. Does nothing when an erasure has taken it away.
 *  @returns whether it can */
export async function syncFolder(folder: string): Promise<boolean> {
  try {
    await withFile(folder, constants.O_RDONLY, (handle) => handle.sync())
  } catch (error) {
    if (NOT_KNOWN.has(errno(error) ?? '')) return false
    if (!isMissing(error)) throw error
  }
  return true
}

/** What the disk of one of our folders does not do, in words for the maintainer. */
export async function lacksOf(folder: string): Promise<string[]> {
  const { mode } = await stat(folder)
  const isOpen = (mode & ~FOLDER_MODE & 0o777) > 0
  return [
    ...(isOpen ? ['other accounts of this machine may read the photos'] : []),
    ...((await syncFolder(folder)) ? [] : ['a power cut may take photos that have just arrived']),
  ]
}

/** What is in a folder; nothing when it is missing. */
export async function entriesOf(folder: string): Promise<Dirent[]> {
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

/** Deletes a folder, and those above it, if they have become empty. A simultaneous write into such a folder either keeps
 *  it from being empty or creates it again.
 *  @param top stays */
export async function removeEmptyFolders(folder: string, top: string): Promise<void> {
  let left = folder
  for (; left !== top; left = dirname(left))
    try {
      await rmdir(left)
    } catch (error) {
      if (errno(error) === 'ENOTEMPTY' || errno(error) === 'EEXIST') break
      if (!isMissing(error)) throw error
    }
  await syncFolder(left)
}
