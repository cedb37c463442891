import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { removeIfOlder } from '../abandoned-files.ts'
import { plainFilename } from '../contract/file-names.ts'
import type { StagedFile } from '../photos/accept.ts'
import { shortName } from '../photos/picture-name.ts'
import { storeFault } from '../storage/disk-faults.ts'
import type { FreeDisk } from '../storage/free-disk.ts'

/** No upload takes this long: an older file was left behind by a process that died. */
const ABANDONED_MS = 60 * 60 * 1000

/** One file as it arrives. */
interface Incoming {
  stream: Readable
  filename: string | undefined
  /** Called at the end; says whether the file was larger than the limit. */
  isCut(): boolean
}

/** A folder for files that are being uploaded. It is on the same filesystem as the stored files, so that a file is moved
 *  into the storage by a rename. */
export interface Staging {
  /** Streams one file into the folder and hashes it.
   *  @throws AppError SERVICE_UNAVAILABLE while the disk is almost full */
  receive(file: Incoming): Promise<StagedFile>
  discard(files: StagedFile[]): Promise<void>
}

/** Creates the folder and removes what dead processes have left in it.
 *  @param exclusive whether no other process uses the folder, so that all its files are leftovers */
export async function createStaging(
  folder: string,
  { exclusive, freeDisk }: { exclusive: boolean; freeDisk: Pick<FreeDisk, 'require'> },
): Promise<Staging> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await sweep(folder, exclusive)
  return {
    async receive({ stream, filename, isCut }) {
      const path = join(folder, randomUUID())
      const picture = keepPicture(freeDisk)
      try {
        await storeFault(() => pipeline(stream, picture.stream, createWriteStream(path, { mode: 0o600 })))
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
      return {
        filename: bareName(filename),
        path,
        size: picture.size(),
        sha256: picture.sha256(),
        tooLarge: isCut(),
      }
    },
    async discard(files) {
      await Promise.all(files.map(({ path }) => rm(path, { force: true })))
    },
  }
}

/** A stream that hashes its bytes, and lets them through while the disk has room for them. */
function keepPicture(freeDisk: Pick<FreeDisk, 'require'>) {
  const hash = createHash('sha256')
  let size = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      size += chunk.length
      freeDisk.require(chunk.length).then(() => done(null, chunk), done)
    },
  })
  return { stream, size: () => size, sha256: () => hash.digest() }
}

/** The last part of a path with slashes or backslashes, without hidden characters, of a length that every disk takes. Browsers write a quotation mark as
 *  %22 (HTML standard, "Multipart form data"). */
function bareName(filename: string | undefined): string {
  const last = basename((filename ?? '').replaceAll('\\', '/').replaceAll('%22', '"'))
  return shortName(plainFilename(last)) || 'photo'
}

async function sweep(folder: string, exclusive: boolean): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (exclusive) await rm(path, { force: true })
    else await removeIfOlder(path, ABANDONED_MS)
  }
}
