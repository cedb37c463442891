import { AppError } from '../errors.ts'
import type { FileStorage } from './file-storage.ts'

const KEY = 'readiness'

/** A check that storage can be had: writes a small file once, which must be found from then on. A disk that is not
 *  mounted any more answers, too, but has lost it.
 *  @returns throws AppError SERVICE_UNAVAILABLE. */
export function createStorageCheck(storage: FileStorage): () => Promise<void> {
  let isWritten = false
  return async () => {
    if (!isWritten) {
      await storage.write(KEY, Buffer.from('Here stands what Inframe stores.\n'), 'text/plain')
      isWritten = true
    } else if (!(await storage.exists(KEY)))
      throw new AppError('SERVICE_UNAVAILABLE', 'What was written to storage is not there any more')
  }
}
