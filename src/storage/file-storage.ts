import type { Readable } from 'node:stream'

/** The file-storage port. A key is a relative path of `[a-z0-9-./]` segments that its caller makes from ids,
 *  never from a visitor's text. Every write is whole or absent, and durable when its promise resolves. Faults
 *  of the store itself are AppError SERVICE_UNAVAILABLE; a missing key is AppError NOT_FOUND. */
export interface FileStorage {
  /** Takes over a local file: after this it is at `key`, and no longer at `path`. Replaces what was there. */
  move(path: string, key: string, mediaType: string): Promise<void>
  write(key: string, bytes: Buffer, mediaType: string): Promise<void>
  read(key: string): Promise<Buffer>
  /** A stream that has been opened, and its length in bytes. */
  open(key: string): Promise<{ stream: Readable; size: number }>
  exists(key: string): Promise<boolean>
  /** Deletes a key; one that is not there is no fault. */
  delete(key: string): Promise<void>
  /** Deletes everything under a folder such as `albums/<id>/`. */
  deleteFolder(prefix: string): Promise<void>
  /** How many keys stand under a folder: what an erasure checks afterwards. */
  count(prefix: string): Promise<number>
  /** Removes what writes that died half-way have left, which no key names: all that is older than this many ms. */
  removeAbandoned(olderThanMs: number): Promise<void>
  /** Where browsers may fetch files from the store itself; without it they are streamed through `open`. */
  direct?: DirectFiles
  /** The bucket of Amazon S3 whose objects have the keys for names; undefined for any other store. */
  bucket?: string | undefined
}

export interface DirectFiles {
  /** The scheme and host of every address, for the page's content policy. */
  origin: string
  /** An address that gives a file to anyone who has it, for five minutes at most. Calls within the same few minutes
   *  give the same one, so that a browser's cache serves it. The key need not be there.
   *  @param now milliseconds since 1970 */
  sign(key: string, headers: FileHeaders, now?: number): Promise<string>
}

/** What the store answers with beside the file. */
export interface FileHeaders {
  mediaType: string
  disposition: string
  cacheControl: string
}
