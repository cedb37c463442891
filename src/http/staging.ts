import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { removeIfOlder } from '../abandoned-files.ts'
import { plainFilename } from '../contract/file-names.ts'
import { AppError } from '../errors.ts'
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
   *  @param network of the sender
   *  @throws AppError SERVICE_UNAVAILABLE while too many bytes are in use, or the disk is almost full */
  receive(file: Incoming, network: string): Promise<StagedFile>
  discard(files: StagedFile[]): Promise<void>
}

/** Creates the folder and removes what dead processes have left in it.
 *  @param exclusive whether no other process uses the folder, so that all its files are leftovers
 *  @param mostBytes of all unfinished uploads of this process; one network gets half of it */
export async function createStaging(
  folder: string,
  {
    exclusive,
    mostBytes,
    freeDisk,
  }: { exclusive: boolean; mostBytes: number; freeDisk: Pick<FreeDisk, 'require'> },
): Promise<Staging> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await sweep(folder, exclusive)
  const room = createRoom(mostBytes)
  const networkOf = new Map<StagedFile, string>()

  async function remove(path: string, bytes: number, network: string): Promise<void> {
    await rm(path, { force: true })
    room.giveBack(bytes, network)
  }

  return {
    async receive({ stream, filename, isCut }, network) {
      const path = join(folder, randomUUID())
      const picture = keepPicture(room, freeDisk, network)
      try {
        await storeFault(() => pipeline(stream, picture.stream, createWriteStream(path, { mode: 0o600 })))
      } catch (error) {
        await remove(path, picture.size(), network)
        throw error
      }
      const file = {
        filename: bareName(filename),
        path,
        size: picture.size(),
        sha256: picture.sha256(),
        tooLarge: isCut(),
      }
      networkOf.set(file, network)
      return file
    },
    async discard(files) {
      await Promise.all(
        files.map(async (file) => {
          await remove(file.path, file.size, networkOf.get(file)!)
          networkOf.delete(file)
        }),
      )
    },
  }
}

/** A stream that hashes its bytes, and lets them through when the disk and the budget have room for them. */
function keepPicture(room: Room, freeDisk: Pick<FreeDisk, 'require'>, network: string) {
  const hash = createHash('sha256')
  let size = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      freeDisk
        .require(chunk.length)
        .then(() => {
          // The upload may have ended meanwhile.
          if (stream.destroyed) return
          room.take(chunk.length, network)
          size += chunk.length
          done(null, chunk)
        })
        .catch(done)
    },
  })
  return { stream, size: () => size, sha256: () => hash.digest() }
}

type Room = ReturnType<typeof createRoom>

/** Counts the bytes that are in use. */
function createRoom(most: number) {
  const heldBy = new Map<string, number>()
  let held = 0
  function add(bytes: number, network: string): void {
    held += bytes
    const own = (heldBy.get(network) ?? 0) + bytes
    if (own === 0) heldBy.delete(network)
    else heldBy.set(network, own)
  }
  return {
    /** @throws AppError SERVICE_UNAVAILABLE */
    take(bytes: number, network: string): void {
      if (held + bytes > most || (heldBy.get(network) ?? 0) + bytes > most / 2) throw tooManyUploads()
      add(bytes, network)
    },
    giveBack: (bytes: number, network: string) => add(-bytes, network),
  }
}

const tooManyUploads = () =>
  new AppError('SERVICE_UNAVAILABLE', 'Too many photos are being uploaded at the moment', {
    retryAfter: 10,
    isBusy: true,
  })

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
