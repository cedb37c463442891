import { AppError } from '../errors.ts'
import type { FileStorage } from './file-storage.ts'

const KEY = 'readiness'

/** Makes a check that the storage works. Its first call writes a small file, and the later calls look for it: a
 *  disk that is no longer mounted still answers, but the file is missing.
 *  @returns a function that throws AppError SERVICE_UNAVAILABLE when the storage does not work. */
export function createStorageCheck(storage: FileStorage): () => Promise<void> {
  let isWritten = false
  return async () => {
    if (!isWritten) {
      await storage.write(KEY, Buffer.from('Inframe stores its photos here.\n'), 'text/plain')
      isWritten = true
    } else if (!(await storage.exists(KEY)))
      throw new AppError('SERVICE_UNAVAILABLE', 'A file that was written to the photo storage is missing')
  }
}
