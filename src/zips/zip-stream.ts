import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'

/** A file of a zip. */
export interface ZipEntry {
  name: string
  /** Bytes. */
  size: number
  /** By the clock of the camera, such as `2025-08-19T14:03:22`. */
  clock: string
  /** Undefined when the zone of the clock is not known. */
  instant: Date | undefined
}

/** The bytes of a zip (PKWARE's APPNOTE.TXT, version 6.3.10). Its files are stored, since photos are compressed already; so its
 *  length is known before. The same entries are always the same bytes. A part has at most 2 GB and few files, so the larger
 *  numbers of ZIP64 are never needed.
 *
 *  The libraries that know the length write the instant in one of two places only, where unzip and libarchive do not look,
 *  and compute the checksums in JavaScript, which halves the speed.
 *  @param open gives the bytes of an entry when it is its turn */
export async function* zipStream(
  entries: ZipEntry[],
  open: (index: number) => Promise<Readable>,
): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let place = 0
  for (const [index, entry] of entries.entries()) {
    yield localHeader(entry)
    let checksum = 0
    for await (const chunk of (await open(index)) as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum)
      yield chunk
    }
    const facts = numbers([4, checksum], [4, entry.size], [4, entry.size])
    yield Buffer.concat([numbers([4, DESCRIPTOR]), facts])
    directory.push(centralHeader(entry, facts, place))
    place += bytesBeforeNext(entry)
  }
  const central = Buffer.concat(directory)
  const files = entries.length
  const end = numbers([4, END], [4, 0], [2, files], [2, files], [4, central.length], [4, place], [2, 0])
  yield Buffer.concat([central, end])
}

/** How many bytes the zip of these entries has. */
export function zipBytes(entries: ZipEntry[]): number {
  return entries.reduce((sum, entry) => sum + entryBytes(entry), END_BYTES)
}

/** What an entry adds to a zip. */
export function entryBytes(entry: ZipEntry): number {
  return bytesBeforeNext(entry) + CENTRAL_BYTES + variableBytes(entry)
}

const bytesBeforeNext = (entry: ZipEntry) =>
  LOCAL_BYTES + variableBytes(entry) + entry.size + DESCRIPTOR_BYTES

const variableBytes = ({ name, instant }: ZipEntry) => Buffer.byteLength(name) + (instant ? INSTANT_BYTES : 0)

const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const DESCRIPTOR = 0x08074b50
const DESCRIPTOR_BYTES = 16
const CENTRAL = 0x02014b50
const CENTRAL_BYTES = 46
const END = 0x06054b50
const END_BYTES = 22
/** 2.0, the oldest version that every program knows. */
const VERSION = 20
/** Of Unix, so that the attributes are a file's mode. */
const MADE_BY = (3 << 8) | VERSION
/** Names are in UTF-8 (bit 11), and the checksum follows the bytes (bit 3). */
const FLAGS = (1 << 11) | (1 << 3)
const STORED = 0
/** A plain file with mode 0644. */
const ATTRIBUTES = (0o100644 << 16) >>> 0

function localHeader(entry: ZipEntry): Buffer {
  return Buffer.concat([numbers([4, LOCAL]), ...headerParts(entry, Buffer.alloc(12), Buffer.alloc(0))])
}

/** @param place where the local header begins */
function centralHeader(entry: ZipEntry, facts: Buffer, place: number): Buffer {
  // No comment, on the first disk, with no attributes of a kind of content.
  const more = numbers([2, 0], [2, 0], [2, 0], [4, ATTRIBUTES], [4, place])
  return Buffer.concat([numbers([4, CENTRAL], [2, MADE_BY]), ...headerParts(entry, facts, more)])
}

/** What both headers have. */
function headerParts(entry: ZipEntry, facts: Buffer, more: Buffer): Buffer[] {
  const name = Buffer.from(entry.name)
  const extra = instantField(entry.instant)
  const start = numbers([2, VERSION], [2, FLAGS], [2, STORED], ...dosTime(entry.clock))
  return [start, facts, numbers([2, name.length], [2, extra.length]), more, name, extra]
}

const INSTANT_BYTES = 9

/** The field "UT" (Info-ZIP, extrafld.txt) with the time of the last change. Programs that know it show the time of
 *  their own zone; others show the clock. */
function instantField(instant: Date | undefined): Buffer {
  if (!instant) return Buffer.alloc(0)
  const seconds = Math.min(Math.max(Math.floor(instant.getTime() / 1000), 0), 0x7fffffff)
  return Buffer.concat([numbers([2, 0x5455], [2, 5]), Buffer.from([1]), numbers([4, seconds])])
}

/** MS-DOS counts years from 1980 to 2107, and every second second. */
function dosTime(clock: string): [bytes: 2, value: number][] {
  const [year, month, day, hour, minute, second] = clock.split(/\D/).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const years = Math.min(Math.max(year - 1980, 0), 127)
  const time = (hour << 11) | (minute << 5) | (second >> 1)
  return [
    [2, time],
    [2, (years << 9) | (month << 5) | day],
  ]
}

function numbers(...values: [bytes: 2 | 4, value: number][]): Buffer {
  return Buffer.concat(
    values.map(([bytes, value]) => {
      const number = Buffer.alloc(bytes)
      number.writeUIntLE(value, 0, bytes)
      return number
    }),
  )
}
