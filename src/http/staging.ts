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
import { createStructureReader } from '../photos/picture-structure.ts'
import { storeFault } from '../storage/disk-faults.ts'
import type { StagingBudget } from './staging-budget.ts'

/** No upload takes this long: an older file was left behind by a process that died. */
const ABANDONED_MS = 60 * 60 * 1000
const FILENAME_MAX_LENGTH = 200

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
  /** Streams one file into the folder and hashes it. What comes after the picture's end is not written.
   *  @param holders whose bytes these are: see `StagingBudget`
   *  @throws AppError SERVICE_UNAVAILABLE while too many bytes are in use */
  receive(file: Incoming, holders: string[]): Promise<StagedFile>
  discard(files: StagedFile[]): Promise<void>
}

/** Creates the folder and removes what dead processes have left in it.
 *  @param exclusive whether no other process uses the folder, so that all its files are leftovers. */
export async function createStaging(
  folder: string,
  { exclusive, budget }: { exclusive: boolean; budget: StagingBudget },
): Promise<Staging> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await sweep(folder, exclusive)
  const holdersOf = new Map<StagedFile, string[]>()

  async function remove(path: string, bytes: number, holders: string[]): Promise<void> {
    await rm(path, { force: true })
    budget.giveBack(bytes, holders)
  }

  return {
    async receive({ stream, filename, isCut }, holders) {
      const path = join(folder, randomUUID())
      const picture = keepPicture(budget, holders)
      try {
        await storeFault(() => pipeline(stream, picture.stream, createWriteStream(path, { mode: 0o600 })))
      } catch (error) {
        await remove(path, picture.size(), holders)
        throw error
      }
      const file = {
        filename: bareName(filename),
        path,
        size: picture.size(),
        sha256: picture.sha256(),
        tooLarge: isCut(),
        scans: picture.scans(),
      }
      holdersOf.set(file, holders)
      return file
    },
    async discard(files) {
      await Promise.all(
        files.map(async (file) => {
          await remove(file.path, file.size, holdersOf.get(file) ?? [])
          holdersOf.delete(file)
        }),
      )
    },
  }
}

/** A stream that hashes all its bytes, and lets through those up to the picture's end as soon as the budget has them. */
function keepPicture(budget: StagingBudget, holders: string[]) {
  const hash = createHash('sha256')
  const reader = createStructureReader()
  let read = 0
  let size = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      reader.read(chunk)
      const kept = chunk.subarray(0, Math.max((reader.structure.end ?? Number.POSITIVE_INFINITY) - read, 0))
      read += chunk.length
      const letThrough = () => {
        size += kept.length
        done(null, kept)
      }
      const wait = budget.take(kept.length, holders)
      if (!wait) return letThrough()
      wait.then(() => {
        // The upload may have ended meanwhile.
        if (stream.destroyed) budget.giveBack(kept.length, holders)
        else letThrough()
      }, done)
    },
  })
  return { stream, size: () => size, sha256: () => hash.digest(), scans: () => reader.structure.scans }
}

/** The last part of a path with slashes or backslashes, without hidden characters. Browsers write a quotation mark as
 *  %22 (HTML standard, "Multipart form data"). */
function bareName(filename: string | undefined): string {
  const last = basename((filename ?? '').replaceAll('\\', '/').replaceAll('%22', '"'))
  return plainFilename(last).slice(0, FILENAME_MAX_LENGTH) || 'photo'
}

async function sweep(folder: string, exclusive: boolean): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (exclusive) await rm(path, { force: true })
    else await removeIfOlder(path, ABANDONED_MS)
  }
}
