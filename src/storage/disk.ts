import { randomUUID } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { errno, isMissing, notFound, storeFault } from './disk-faults.ts'
import type { FileStorage } from './file-storage.ts'
import { checkedFolder, checkedKey } from './keys.ts'

/** Photos of real people: nobody but the service's own account reads them. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/** What is being written stands here first: on the same filesystem, so that a rename puts it in place whole,
 *  and outside every folder that is counted or deleted. No key begins with a dot. */
const PARTIAL = '.partial'

/** How often a write makes its folder anew because an erasure beside it has just removed the empty parents.
 *  Bounded, since a file that has vanished gives the same ENOENT. */
const PLACE_ATTEMPTS = 100

/** Photos on a local disk, at `root/<key>`. Every write is synced before its promise resolves, and so is
 *  each folder that gained a name by it.
 *  @param root made when missing. */
export async function createDiskStorage(root: string): Promise<FileStorage> {
  const top = resolve(root)
  const partial = join(top, PARTIAL)
  await mkdir(partial, { recursive: true, mode: FOLDER_MODE })

  /** Folders being made now: whoever needs one waits until its own name is durable too. */
  const making = new Map<string, Promise<void>>()

  function ensureFolder(folder: string): Promise<void> {
    if (folder === top) return Promise.resolve()
    const running = making.get(folder)
    if (running) return running
    const made = makeFolder(folder).finally(() => making.delete(folder))
    making.set(folder, made)
    return made
  }

  async function makeFolder(folder: string): Promise<void> {
    await ensureFolder(dirname(folder))
    try {
      await mkdir(folder, FOLDER_MODE)
    } catch (error) {
      if (errno(error) === 'EEXIST') return
      throw error
    }
    await syncFolder(dirname(folder))
  }

  /** Gives a file that is whole and synced its name. */
  async function place(path: string, target: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await ensureFolder(dirname(target))
        await rename(path, target)
        return await syncFolder(dirname(target))
      } catch (error) {
        if (errno(error) !== 'ENOENT' || attempt === PLACE_ATTEMPTS) throw error
      }
    }
  }

  /** Fills a new file of the partial folder and places it; nothing of it stays when that fails. */
  async function placeNew(target: string, fill: (path: string) => Promise<void>): Promise<void> {
    const path = join(partial, randomUUID())
    try {
      await fill(path)
      await place(path, target)
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  /** Deletes the folders above a deleted name that are empty now. A neighbour that is just being written
   *  either keeps its folder from being empty or makes it again. */
  async function removeEmptyParents(deleted: string): Promise<void> {
    const folder = dirname(deleted)
    if (folder === top) return syncFolder(top)
    try {
      if (!(await removedWhenEmpty(folder))) return await syncFolder(folder)
    } catch (error) {
      // Another deletion has taken the folder away; what is above it may be empty now.
      if (errno(error) !== 'ENOENT') throw error
    }
    await removeEmptyParents(folder)
  }

  return {
    async move(path, key) {
      const target = join(top, checkedKey(key))
      await storeFault(async () => {
        await withFile(path, constants.O_RDWR, async (handle) => {
          await handle.chmod(FILE_MODE)
          await handle.sync()
        })
        try {
          await place(path, target)
        } catch (error) {
          if (errno(error) !== 'EXDEV') throw error
          await placeNew(target, async (copy) => {
            await copyFile(path, copy, constants.COPYFILE_EXCL)
            await withFile(copy, constants.O_RDWR, (handle) => handle.sync())
          })
          await unlink(path)
        }
      })
    },

    async write(key, bytes) {
      const target = join(top, checkedKey(key))
      await storeFault(() =>
        placeNew(target, (path) =>
          withFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, async (handle) => {
            await handle.writeFile(bytes)
            await handle.sync()
          }),
        ),
      )
    },

    async read(key) {
      const { handle } = await openKey(top, key)
      try {
        return await storeFault(() => handle.readFile())
      } finally {
        await handle.close()
      }
    },

    async open(key) {
      const { handle, size } = await openKey(top, key)
      return { stream: handle.createReadStream(), size }
    },

    async exists(key) {
      const path = join(top, checkedKey(key))
      return storeFault(async () => {
        try {
          return (await stat(path)).isFile()
        } catch (error) {
          if (isMissing(error)) return false
          throw error
        }
      })
    },

    async delete(key) {
      const path = join(top, checkedKey(key))
      await storeFault(async () => {
        await rm(path, { force: true })
        await removeEmptyParents(path)
      })
    },

    async deleteFolder(prefix) {
      const folder = join(top, checkedFolder(prefix))
      await storeFault(async () => {
        // A file that arrives while the folder is emptied makes its last rmdir fail; then it goes once more.
        await rm(folder, { recursive: true, force: true, maxRetries: 5 })
        await removeEmptyParents(folder)
      })
    },

    async count(prefix) {
      const folder = join(top, checkedFolder(prefix))
      return storeFault(() => countFiles(folder))
    },

    async removeAbandoned(olderThanMs) {
      await storeFault(async () => {
        for (const name of await readdir(partial)) await removeIfOlder(join(partial, name), olderThanMs)
      })
    },
  }
}

async function removedWhenEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    if (errno(error) === 'ENOTEMPTY' || errno(error) === 'EEXIST') return false
    throw error
  }
}

async function removeIfOlder(path: string, ms: number): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    // Another process has removed it, or the one that was writing it has placed it.
    if (errno(error) === 'ENOENT') return undefined
    throw error
  })
  if (found && Date.now() - found.mtimeMs > ms) await rm(path, { force: true })
}

async function openKey(top: string, key: string): Promise<{ handle: FileHandle; size: number }> {
  const path = join(top, checkedKey(key))
  return storeFault(async () => {
    let handle: FileHandle
    try {
      handle = await open(path, constants.O_RDONLY)
    } catch (error) {
      if (isMissing(error)) throw notFound(error)
      throw error
    }
    const found = await handle.stat()
    if (found.isFile()) return { handle, size: found.size }
    await handle.close()
    throw notFound(undefined)
  })
}

async function countFiles(folder: string): Promise<number> {
  let entries: Dirent[]
  try {
    entries = await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissing(error)) return 0
    throw error
  }
  let files = 0
  for (const entry of entries) files += entry.isDirectory() ? await countFiles(join(folder, entry.name)) : 1
  return files
}

async function withFile(
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
async function syncFolder(folder: string): Promise<void> {
  await withFile(folder, constants.O_RDONLY, (handle) => handle.sync())
}
