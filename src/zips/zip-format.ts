/** A zip file whose files are stored without compression (PKWARE's APPNOTE.TXT, version 6.3.10). Photos are compressed
 *  already. So the place of every byte is known before the first is read, and any range can be made alone.
 *
 *  A part has at most 2 GB and few files, so the larger numbers of ZIP64 are never needed. */

export interface ZipEntry {
  name: string
  /** Bytes. */
  size: number
  crc32: number
  /** Such as `2025-08-19T14:03:22`. A zip has no time zones. */
  takenAt: string
}

/** Some bytes of a zip: these, or those of one of its files.
 *  `start` and `end` are places in the zip; `end` is the place after the last byte. */
export type ZipPiece = { start: number; end: number } & ({ bytes: Buffer } | { entry: number })

/** All pieces in order, without gaps. */
export type ZipLayout = ZipPiece[]

const LOCAL_HEADER = 0x04034b50
const LOCAL_HEADER_BYTES = 30
const CENTRAL_HEADER = 0x02014b50
const CENTRAL_HEADER_BYTES = 46
const END_OF_DIRECTORY = 0x06054b50
const END_BYTES = 22

/** 2.0, the oldest version that every program knows. */
const VERSION_NEEDED = 20
/** Unix, so that the attributes are a file's mode. */
const MADE_BY = (3 << 8) | VERSION_NEEDED
/** Bit 11: names are in UTF-8. */
const UTF8_NAMES = 1 << 11
const STORED = 0
/** A plain file with mode 0644. */
const ATTRIBUTES = (0o100644 << 16) >>> 0

/** The bytes of a zip without any files. */
export const EMPTY_ZIP_BYTES = END_BYTES

/** The bytes that a file adds to a zip. */
export function zippedBytes({ name, size }: Pick<ZipEntry, 'name' | 'size'>): number {
  return LOCAL_HEADER_BYTES + CENTRAL_HEADER_BYTES + 2 * Buffer.byteLength(name) + size
}

/** Bytes. */
export function sizeOfZip(entries: Pick<ZipEntry, 'name' | 'size'>[]): number {
  return entries.reduce((sum, entry) => sum + zippedBytes(entry), EMPTY_ZIP_BYTES)
}

/** Where every byte of a zip with these files is.
 *  @param entries in order, with unique names */
export function layOutZip(entries: ZipEntry[]): ZipLayout {
  const pieces: ZipPiece[] = []
  const directory: Buffer[] = []
  let size = 0
  const add = (length: number, content: { bytes: Buffer } | { entry: number }) => {
    pieces.push({ start: size, end: size + length, ...content })
    size += length
  }
  for (const [index, entry] of entries.entries()) {
    directory.push(centralHeader(entry, size))
    const header = localHeader(entry)
    add(header.length, { bytes: header })
    add(entry.size, { entry: index })
  }
  const place = size
  const central = Buffer.concat(directory)
  const end = endOfDirectory(entries.length, place, central.length)
  add(central.length + end.length, { bytes: Buffer.concat([central, end]) })
  return pieces
}

function localHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name)
  const header = Buffer.alloc(LOCAL_HEADER_BYTES)
  header.writeUInt32LE(LOCAL_HEADER, 0)
  writeFacts(header, 4, entry, name.length)
  return Buffer.concat([header, name])
}

function centralHeader(entry: ZipEntry, place: number): Buffer {
  const name = Buffer.from(entry.name)
  const header = Buffer.alloc(CENTRAL_HEADER_BYTES)
  header.writeUInt32LE(CENTRAL_HEADER, 0)
  header.writeUInt16LE(MADE_BY, 4)
  writeFacts(header, 6, entry, name.length)
  header.writeUInt32LE(ATTRIBUTES, 38)
  header.writeUInt32LE(place, 42)
  return Buffer.concat([header, name])
}

/** Writes the fields that both headers of a file have in the same order. */
function writeFacts(header: Buffer, at: number, { size, crc32, takenAt }: ZipEntry, nameBytes: number): void {
  const { date, time } = dosTime(takenAt)
  header.writeUInt16LE(VERSION_NEEDED, at)
  header.writeUInt16LE(UTF8_NAMES, at + 2)
  header.writeUInt16LE(STORED, at + 4)
  header.writeUInt16LE(time, at + 6)
  header.writeUInt16LE(date, at + 8)
  header.writeUInt32LE(crc32, at + 10)
  header.writeUInt32LE(size, at + 14)
  header.writeUInt32LE(size, at + 18)
  header.writeUInt16LE(nameBytes, at + 22)
}

function endOfDirectory(files: number, place: number, length: number): Buffer {
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32LE(END_OF_DIRECTORY, 0)
  end.writeUInt16LE(files, 8)
  end.writeUInt16LE(files, 10)
  end.writeUInt32LE(length, 12)
  end.writeUInt32LE(place, 16)
  return end
}

/** MS-DOS counts years from 1980 to 2107, and every second second. */
function dosTime(takenAt: string): { date: number; time: number } {
  const [year, month, day, hour, minute, second] = takenAt.split(/\D/).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const years = Math.min(Math.max(year - 1980, 0), 127)
  return { date: (years << 9) | (month << 5) | day, time: (hour << 11) | (minute << 5) | (second >> 1) }
}
