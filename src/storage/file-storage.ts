import type { Readable } from 'node:stream'
import { AppError } from '../errors.ts'

/** What every file storage implements. A key is a relative path of `[a-z0-9-.]` segments. The caller builds it from
 *  ids, never from a visitor's text. A write is either whole or absent, and it is durable when its promise resolves.
 *  @throws AppError SERVICE_UNAVAILABLE for faults of the store, NOT_FOUND for a missing key, and TypeError for an
 *  invalid key, which is a programming error */
export interface FileStorage {
  /** Moves a local file that nobody else may read into the storage: afterwards it is at `key` and no longer at `path`. Replaces an existing
   *  file. */
  move(path: string, key: string, mediaType: string): Promise<void>
  write(key: string, bytes: Buffer, mediaType: string): Promise<void>
  read(key: string): Promise<Buffer>
  /** An open stream of the file, and its size in bytes. */
  open(key: string): Promise<{ stream: Readable; size: number }>
  exists(key: string): Promise<boolean>
  /** Deletes a key; does nothing when it is missing. */
  delete(key: string): Promise<void>
  /** Deletes everything under a folder, a little at a time, so that others can use the store meanwhile.
   *  @param until stops it early. Another call then continues
   *  @returns whether everything is deleted */
  deleteFolder(prefix: string, until?: AbortSignal): Promise<boolean>
  /** How many keys are under a folder; an erasure checks this afterwards. */
  count(prefix: string): Promise<number>
  /** Removes the remains of interrupted writes that are older than this many ms, where a store keeps any. They belong to no
   *  key. */
  removeAbandoned?(olderThanMs: number): Promise<void>
  /** What the disk of this storage does not do, in words for the maintainer. */
  lacks?: string[]
  /** For stores that browsers can fetch files from directly; without it files are streamed through `open`. */
  direct?: DirectFiles
  /** The bucket of Amazon S3, whose objects are named by the keys; undefined for any other store. */
  bucket?: string | undefined
}

export interface DirectFiles {
  /** The scheme and host of all addresses, for the pages' content security policy. */
  origin: string
  /** An address from which anyone can fetch the file, for at most five minutes. Calls within the same few minutes
   *  return the same address, so that a browser's cache can serve the file. The key need not exist.
   *  @param now milliseconds since 1970 */
  sign(key: string, headers: FileHeaders, now?: number): Promise<string>
}

/** The headers that the store sends with the file. */
export interface FileHeaders {
  mediaType: string
  disposition: string
  cacheControl: string
}

const PATH = /^[a-z0-9-][a-z0-9-.]*(\/[a-z0-9-][a-z0-9-.]*)*$/

/** Returns the key. @throws TypeError */
export function checkedKey(key: string): string {
  if (!PATH.test(key)) throw new TypeError(`Invalid storage key: ${JSON.stringify(key)}`)
  return key
}

/** Returns a folder without the slash at its end. @throws TypeError */
export function checkedFolder(prefix: string): string {
  return checkedKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix)
}

export const fileMissing = (cause?: unknown) =>
  new AppError('NOT_FOUND', 'This file is no longer stored', { cause })

export const storageFull = (cause?: unknown) =>
  new AppError('SERVICE_UNAVAILABLE', 'The photo storage is full', { cause })

export const storageUnavailable = (cause?: unknown) =>
  new AppError('SERVICE_UNAVAILABLE', 'The photo storage is currently unavailable', { cause })
