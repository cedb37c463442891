import { crc32 } from 'node:zlib'
import type { Db } from '../database/client.ts'
import { AppError, hasCode } from '../errors.ts'
import { photoKey } from '../photos/renditions.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { layOutZip, type ZipEntry, type ZipLayout } from './zip-format.ts'
import { isStillInAlbum, setDownloadFacts } from './zip-queries.ts'

interface Deps {
  db: Db
  storage: FileStorage
}

/** A part of a zip that is being sent. */
export interface OpenZip {
  albumId: string
  passwordVersion: number
  entries: (ZipEntry & { photoId: string; sha256: Buffer })[]
}

/** How many bytes are read at once, and how many reads of one zip are under way. A store far away answers each read after
 *  some ms, so several of them make use of the line. */
const BLOCK_BYTES = 512 * 1024
const BLOCKS_AHEAD = 4
/** Smaller reads would keep a disk busier than the line. */
const LEAST_BLOCK_BYTES = 64 * 1024
/** What is held of all zips of this process, apart from what the sockets hold. Slow visitors hold their blocks for long. */
const MEMORY_BYTES = 64 * 1024 * 1024

/** The bytes of a zip from `start` up to the byte before `end`. Before each photo it looks again whether the photo may
 *  still be sent. When it throws, the connection must end early, so that the zip does not look whole.
 *  @param atOnce how many zips this process sends now: they share its memory
 *  @throws AppError NOT_FOUND when a photo was erased, a file is not as it was, or the password has changed;
 *  SERVICE_UNAVAILABLE */
export async function* readZip(
  deps: Deps,
  zip: OpenZip,
  { start, end }: { start: number; end: number },
  atOnce: () => number = () => 1,
): AsyncGenerator<Buffer> {
  const layout = layOutZip(zip.entries)
  const share = () => MEMORY_BYTES / atOnce()
  const blockBytes = () => Math.min(BLOCK_BYTES, Math.max(LEAST_BLOCK_BYTES, Math.floor(share())))
  const blocks = inOrder(
    blocksOf(layout, { start, end }, blockBytes),
    (block) => readBlock(deps, zip, block),
    () => Math.min(BLOCKS_AHEAD, Math.max(1, Math.floor(share() / BLOCK_BYTES))),
  )
  let checksum = 0
  let sending = -1
  for await (const [block, bytes] of blocks) {
    if ('entry' in block) {
      const { entry, from } = block
      if (entry !== sending) await requireStillThere(deps, zip, entry)
      sending = entry
      checksum = crc32(bytes, from === 0 ? 0 : checksum)
      const { size, crc32: expected } = zip.entries[entry]!
      const isWhole = from + bytes.length === size && isFromItsStart(layout, start, entry)
      if (isWhole && checksum !== expected) throw await notAsItWas(deps, zip, entry)
    }
    yield bytes
  }
}

type Block = { bytes: Buffer } | { entry: number; from: number; length: number }

function* blocksOf(
  layout: ZipLayout,
  { start, end }: { start: number; end: number },
  blockBytes: () => number,
): Generator<Block> {
  for (const piece of layout) {
    const from = Math.max(start, piece.start) - piece.start
    const to = Math.min(end, piece.end) - piece.start
    if (from >= to) continue
    if ('bytes' in piece) yield { bytes: piece.bytes.subarray(from, to) }
    else
      for (let at = from, length: number; at < to; at += length) {
        length = Math.min(blockBytes(), to - at)
        yield { entry: piece.entry, from: at, length }
      }
  }
}

/** Whether the range contains the file's first byte, so that its checksum is that of all its bytes. */
function isFromItsStart(layout: ZipLayout, start: number, entry: number): boolean {
  return layout.some((piece) => 'entry' in piece && piece.entry === entry && piece.start >= start)
}

async function readBlock(deps: Deps, zip: OpenZip, block: Block): Promise<[Block, Buffer]> {
  if ('bytes' in block) return [block, block.bytes]
  const read = () => deps.storage.readPart(keyOf(zip, block.entry), block.from, block.length)
  try {
    // A second try, because a fault of the network would otherwise end a download of 2 GB.
    const bytes = await read().catch((error) => (isUnavailable(error) ? read() : Promise.reject(error)))
    if (bytes.length === block.length) return [block, bytes]
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  throw await notAsItWas(deps, zip, block.entry)
}

function keyOf({ albumId, entries }: OpenZip, entry: number): string {
  return photoKey(albumId, entries[entry]!.sha256, 'full')
}

async function requireStillThere({ db }: Deps, zip: OpenZip, entry: number): Promise<void> {
  if (!(await isStillInAlbum(db, zip.entries[entry]!.photoId, zip.passwordVersion))) throw zipEnded()
}

/** Forgets what was known of the file, so that the next zip looks at it again. */
async function notAsItWas({ db }: Deps, zip: OpenZip, entry: number): Promise<AppError> {
  const { sha256 } = zip.entries[entry]!
  await setDownloadFacts(db, { album_id: zip.albumId, sha256 }, undefined)
  return zipEnded()
}

export const zipEnded = () =>
  new AppError('NOT_FOUND', 'This download has ended. Open your photos and start it again.')

const isUnavailable = (error: unknown) => hasCode(error, 'SERVICE_UNAVAILABLE')
const isMissing = (error: unknown) => hasCode(error, 'NOT_FOUND')

/** Does the work of all items, several at a time, and gives the answers in the order of the items. */
async function* inOrder<Item, Answer>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Answer>,
  atOnce: () => number,
): AsyncGenerator<Answer> {
  const running: Promise<Answer>[] = []
  for (const item of items) {
    const answer = work(item)
    // A failure counts when it is its turn, and not before.
    answer.catch(() => {})
    running.push(answer)
    while (running.length >= atOnce()) yield await running.shift()!
  }
  for (const answer of running) yield await answer
}
