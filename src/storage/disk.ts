import { randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { removeIfOlder } from '../abandoned-files.ts'
import { errno, isMissing, storeFault } from './disk-faults.ts'
import {
  countFiles,
  entriesOf,
  FOLDER_MODE,
  lacksOf,
  removeEmptyFolders,
  syncFolder,
  withFile,
} from './disk-files.ts'
import { checkedFolder, checkedKey, type FileStorage, fileMissing } from './file-storage.ts'

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

  /** Moves a file that is whole and synced to its name. */
  async function place(path: string, target: string): Promise<void> {
    const folder = dirname(target)
    /** The highest folder in which a name is new. */
    let changed = folder
    for (let attempt = 1; ; attempt++) {
      try {
        const created = await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
        if (created) changed = dirname(created)
        await rename(path, target)
        break
      } catch (error) {
        if (errno(error) !== 'ENOENT' || attempt === PLACE_ATTEMPTS) throw error
      }
    }
    for (let at = folder; at !== changed; at = dirname(at)) await syncFolder(at)
    await syncFolder(changed)
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
        await removeEmptyFolders(dirname(path), top)
      })
    },

    async deleteFolder(prefix, until) {
      const folder = join(top, checkedFolder(prefix))
      return await storeFault(async () => {
        // One photo after another: all at once would occupy the threads that read files, and everybody else would wait.
        for (const { name } of await entriesOf(folder)) {
          if (until?.aborted) return false
          await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 })
        }
        await removeEmptyFolders(folder, top)
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
