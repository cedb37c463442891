import { randomUUID } from 'node:crypto'
import { mkdir, opendir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errno, isMissing } from './disk-faults.ts'
import { countFiles, FOLDER_MODE, syncFolder } from './disk-files.ts'

/** Folders of an installation that are no longer in their places, while their files are being deleted. */
export interface ErasedFolders {
  /** Takes a folder out of its place, with all that is in it, at once. Does nothing when it is missing.
   *  @param key such as `albums/<id>` */
  take(key: string): Promise<void>
  /** Deletes what was ever taken from this place, also by a process that ended early. */
  empty(key: string): Promise<void>
  /** How many files of this place, or of one below it, are not deleted yet. */
  count(key: string): Promise<number>
}

/** @param top the storage's folder
 *  @param name of the folder in it for the erased ones. Created when missing */
export async function openErasedFolders(top: string, name: string): Promise<ErasedFolders> {
  const erased = join(top, name)
  await mkdir(erased, { recursive: true, mode: FOLDER_MODE })

  /** Their names say where they were. No key has a percent sign or a tilde. */
  async function takenFrom(key: string, separators: string[]): Promise<string[]> {
    const starts = separators.map((separator) => `${encodeURIComponent(key)}${separator}`)
    const names = await readdir(erased)
    return names
      .filter((one) => starts.some((start) => one.startsWith(start)))
      .map((one) => join(erased, one))
  }

  return {
    async take(key) {
      const folder = join(top, key)
      try {
        await rename(folder, join(erased, `${encodeURIComponent(key)}~${randomUUID()}`))
        await syncFolder(dirname(folder))
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },

    async empty(key) {
      for (const folder of await takenFrom(key, ['~'])) await deleteSlowly(folder)
    },

    async count(key) {
      let files = 0
      for (const folder of await takenFrom(key, ['~', '%2F'])) files += await countFiles(folder)
      return files
    },
  }
}

/** Several calls may delete the same folder at once. Then one of them may find a folder that is not empty yet. */
const UNTIL_GONE = { recursive: true, force: true, maxRetries: 5 } as const

/** Deletes the folders in a folder one after another. The files of a whole album at once would occupy all threads that
 *  read files, and everybody else's photos would wait. */
async function deleteSlowly(folder: string): Promise<void> {
  try {
    for await (const entry of await opendir(folder)) await rm(join(folder, entry.name), UNTIL_GONE)
  } catch (error) {
    // Another call has deleted it.
    if (errno(error) !== 'ENOENT') throw error
  }
  await rm(folder, UNTIL_GONE)
}
