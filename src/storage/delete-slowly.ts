import { opendir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createHalfTime } from '../half-time.ts'
import { isMissing } from './disk-faults.ts'
import { removedWhenEmpty } from './disk-files.ts'

/** Deletes a folder, one file after another, with pauses. All files of a large album at once would occupy the threads
 *  that read files, and everybody else's photos would wait. Other calls, also of other processes, may delete the same
 *  folder meanwhile.
 *  @param until stops it early
 *  @returns whether the folder is gone */
export async function deleteSlowly(folder: string, until?: AbortSignal): Promise<boolean> {
  const halfTheTime = createHalfTime()

  async function deleteFolder(path: string): Promise<boolean> {
    do {
      for await (const entry of await opendir(path)) {
        if (until?.aborted) return false
        const inside = join(path, entry.name)
        if (!entry.isDirectory()) await halfTheTime(() => unlessGone(unlink(inside)))
        else if ((await unlessGone(deleteFolder(inside))) === false) return false
      }
      // A folder that is read while files in it are deleted may leave some out.
    } while (!(await halfTheTime(() => removedWhenEmpty(path))))
    return true
  }

  return (await unlessGone(deleteFolder(folder))) ?? true
}

/** @returns undefined when another call has already deleted it */
async function unlessGone<T>(deletion: Promise<T>): Promise<T | undefined> {
  try {
    return await deletion
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
