import { randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { removeIfOlder } from '../abandoned-files.ts'
import { errno, isMissing, storeFault } from './disk-faults.ts'
import {
  countFiles,
  FOLDER_MODE,
  lacksOf,
  namesIn,
  removedWhenEmpty,
  syncFolder,
  withFile,
} from './disk-files.ts'
import { fileMissing } from './errors.ts'
import type { FileStorage } from './file-storage.ts'
import { checkedFolder, checkedKey } from './keys.ts'

/** The folder for files that are still being written. It is on the same filesystem, so that a rename puts a whole
 *  file in its place, and outside every folder that is counted or deleted: no key begins with a dot. */
const PARTIAL = '.partial'

/** How often a write creates its folder again after a simultaneous erasure has removed the empty parents. There is
 *  a limit, because a file that has disappeared gives the same ENOENT. */
const PLACE_ATTEMPTS = 100

/** Stores photos on a local disk, at `root/<key>`. Every write, and every folder that gets a new name by it, is
 *  synced before the promise resolves.
 *  @param root created when missing. */
export async function createDiskStorage(root: string): Promise<FileStorage> {
  const top = resolve(root)
  const partial = join(top, PARTIAL)
  await mkdir(partial, { recursive: true, mode: FOLDER_MODE })

  /** Folders that are being created. A write into one waits until the folder's own name is durable. */
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

  /** Moves a file that is whole and synced to its name. */
  async function place(path: string, target: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await ensureFolder(dirname(target))
        await rename(path, target)
        break
      } catch (error) {
        if (errno(error) !== 'ENOENT' || attempt === PLACE_ATTEMPTS) throw error
      }
    }
    await syncFolder(dirname(target)).catch((error) => {
      // An erasure has taken the folder away, and the new file with it.
      if (errno(error) !== 'ENOENT') throw error
    })
  }

  /** Writes a new file in the partial folder and places it; removes it when that fails. */
  async function placeNew(target: string, content: Buffer | Readable): Promise<void> {
    const path = join(partial, randomUUID())
    try {
      await withFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, async (handle) => {
        await handle.writeFile(content)
        await handle.sync()
      })
      await place(path, target)
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  /** Deletes a folder, and those above it, if they have become empty. A simultaneous write into such a folder either keeps
   *  it from being empty or creates it again. */
  async function removeEmptyFolders(folder: string): Promise<void> {
    if (folder === top) return void (await syncFolder(top))
    try {
      if (!(await removedWhenEmpty(folder))) return void (await syncFolder(folder))
    } catch (error) {
      // Another deletion has removed the folder; the folder above it may now be empty.
      if (errno(error) !== 'ENOENT') throw error
    }
    await removeEmptyFolders(dirname(folder))
  }

  return {
    lacks: await lacksOf(partial),

    async move(path, key) {
      const target = join(top, checkedKey(key))
      await storeFault(async () => {
        await withFile(path, constants.O_RDWR, (handle) => handle.sync())
        try {
          await place(path, target)
        } catch (error) {
          if (errno(error) !== 'EXDEV') throw error
          // Not by copyFile, which also copies the mode: some disks refuse that.
          await placeNew(target, createReadStream(path))
          await unlink(path)
        }
      })
    },

    async write(key, bytes) {
      const target = join(top, checkedKey(key))
      await storeFault(() => placeNew(target, bytes))
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

    async readPart(key, start, length) {
      const { handle } = await openKey(top, key)
      try {
        const bytes = Buffer.allocUnsafe(length)
        const { bytesRead } = await storeFault(() => handle.read(bytes, 0, length, start))
        return bytes.subarray(0, bytesRead)
      } finally {
        await handle.close()
      }
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
        await removeEmptyFolders(dirname(path))
      })
    },

    async deleteFolder(prefix, until) {
      const folder = join(top, checkedFolder(prefix))
      return await storeFault(async () => {
        // One photo after another: all at once would occupy the threads that read files, and everybody else would wait.
        for (const name of await namesIn(folder)) {
          if (until?.aborted) return false
          await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 })
        }
        await removeEmptyFolders(folder)
        return true
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

async function openKey(top: string, key: string): Promise<{ handle: FileHandle; size: number }> {
  const path = join(top, checkedKey(key))
  return storeFault(async () => {
    let handle: FileHandle
    try {
      handle = await open(path, constants.O_RDONLY)
    } catch (error) {
      if (isMissing(error)) throw fileMissing(error)
      throw error
    }
    const found = await handle.stat()
    if (found.isFile()) return { handle, size: found.size }
    await handle.close()
    throw fileMissing()
  })
}
