import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deleteSlowly } from './delete-slowly.ts'
import { isMissing } from './disk-faults.ts'
import { countFiles, FOLDER_MODE, syncFolder } from './disk-files.ts'

/** Folders of an installation that are no longer in their places, while their files are being deleted. */
export interface ErasedFolders {
  /** Takes a folder out of its place, with all that is in it, at once. Does nothing when it is missing.
   *  @param key such as `albums/<id>` */
  take(key: string): Promise<void>
  /** Deletes what was ever taken from this place, also by a process that ended early.
   *  @param until stops it early
   *  @returns whether everything is deleted */
  empty(key: string, until?: AbortSignal): Promise<boolean>
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

    async empty(key, until) {
      for (const folder of await takenFrom(key, ['~'])) if (!(await deleteSlowly(folder, until))) return false
      return true
    },

    async count(key) {
      let files = 0
      for (const folder of await takenFrom(key, ['~', '%2F'])) files += await countFiles(folder)
      return files
    },
  }
}
