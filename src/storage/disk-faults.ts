import { storageFull, storageUnavailable } from './file-storage.ts'

/** The code of a system error, such as `ENOENT`; undefined for any other value. */
export function errno(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
}

export function isMissing(error: unknown): boolean {
  const code = errno(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

const FULL = new Set(['ENOSPC', 'EDQUOT'])
/** Faults of the disk, of its mount or of the process's limits, which may pass. */
const UNAVAILABLE = new Set([
  'EIO',
  'EROFS',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EACCES',
  'EPERM',
  'EBUSY',
  'ESTALE',
])

/** Runs `work` and turns faults of the disk into errors for the person who made the call.
 *  @throws AppError SERVICE_UNAVAILABLE; any other error unchanged */
export async function storeFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = errno(error) ?? ''
    if (FULL.has(code)) throw storageFull(error)
    if (UNAVAILABLE.has(code)) throw storageUnavailable(error)
    throw error
  }
}
