import { AppError } from '../errors.ts'

/** `ENOENT` and the like. */
export function errno(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
}

export function isMissing(error: unknown): boolean {
  const code = errno(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

export function notFound(cause: unknown): AppError {
  return new AppError('NOT_FOUND', 'This file is no longer stored', { cause })
}

const FULL = new Set(['ENOSPC', 'EDQUOT'])
/** The disk, its mount or the process's share of files: they may be well again later. */
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

/** Turns faults of the disk into words for the person who made the call; anything else is thrown on. */
export async function storeFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = errno(error) ?? ''
    if (FULL.has(code))
      throw new AppError('SERVICE_UNAVAILABLE', 'The photo storage is full', { cause: error })
    if (UNAVAILABLE.has(code))
      throw new AppError('SERVICE_UNAVAILABLE', 'The photo storage is currently unavailable', {
        cause: error,
      })
    throw error
  }
}
