import { totalmem } from 'node:os'
import type pg from 'pg'
import { dbOf } from '../../database/client.ts'
import { createLimiter } from '../../processes/limiter.ts'
import { DESCRIPTOR_LENGTH, STEPS } from './descriptors.ts'
import { descriptorsAfter } from './queries.ts'

/** The descriptors of albums' faces in the memory of one thread. Each use first adds the faces that are new in the
 *  database. An album of which a face was removed is dropped, and loaded again at its next use; until then it may give
 *  faces that are gone, so what it gives has to be looked up in the table `faces`. */
export interface AlbumVectors {
  /** The numbers of an album's faces within a distance of any of these descriptors.
   *  @param among the numbers of the faces to compare; all by default */
  near(
    albumId: string,
    descriptors: readonly Float32Array[],
    distance: number,
    among?: readonly number[],
  ): Promise<number[]>
  /** Brings an album into memory. */
  load(albumId: string): Promise<void>
  /** Whether an album is in memory. */
  has(albumId: string): boolean
  drop(albumId: string): void
  close(): void
}

export interface VectorLimits {
  /** Bytes of all albums. When they need more, the least recently used albums go. One that needs more alone is read
   *  from the database for each search. */
  maxBytes: number
  /** Ms for which an album stays that nobody searches. */
  maxIdleMs?: number
}

const MAX_IDLE_MS = 60 * 60_000
const SWEEP_MS = 60_000

/** Of the trigger of the table `faces`. */
const REMOVALS = 'inframe_faces_removed'

const FACES_IN_PAGE = 10_000

/** Loading is bound by Postgres, so more at once would not be faster. */
const LOADS_AT_ONCE = 3

/** A growing album gets so many times the space that it needs, so that it is seldom moved. */
const SPARE = 1.25

const NUMBER_BYTES = 8
export const BYTES_OF_FACE = DESCRIPTOR_LENGTH + NUMBER_BYTES

/** So many numbers are compared before it is looked whether the rest matters. */
const AT_ONCE = 16

/** The part of the memory of this machine or container that albums may take. The face engines, Postgres and other
 *  processes of Inframe need the rest. So a machine with 8 GB holds sixteen albums of 460,000 faces in one process. */
const PART_FOR_ALBUMS = 1 / 8

/** How many bytes albums may take in this process. */
export function bytesForAlbums(): number {
  // 0 or more than the machine has when there is no limit.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(totalmem(), limit) * PART_FOR_ALBUMS
}

interface Album {
  count: number
  /** One after the other, in a byte for each number. */
  vectors: Int8Array<ArrayBuffer>
  /** `faces.number` of each. */
  numbers: Float64Array<ArrayBuffer>
  /** The number of the last face that was read. */
  last: number
  isInUse: boolean
  /** Milliseconds since 1970. */
  usedAt: number
}

/** @param pool of which one connection is kept, to hear of removed faces */
export function createAlbumVectors(
  pool: pg.Pool,
  { maxBytes, maxIdleMs = MAX_IDLE_MS }: VectorLimits,
): AlbumVectors {
  const db = dbOf(pool)
  /** In the order of use. */
  const albums = new Map<string, Album>()
  const loads = createLimiter({ running: LOADS_AT_ONCE, perKey: 1 })
  const sweeping = setInterval(dropIdle, Math.min(SWEEP_MS, maxIdleMs)).unref()
  let listening: Promise<pg.PoolClient> | undefined

  /** When the connection is lost, so may be what was announced meanwhile. */
  async function listen(): Promise<pg.PoolClient> {
    const client = await pool.connect()
    client.on('notification', ({ payload = '' }) => drop(payload))
    client.once('error', () => {
      listening = undefined
      for (const albumId of albums.keys()) drop(albumId)
      client.release(true)
    })
    try {
      await client.query(`listen ${REMOVALS}`)
      return client
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  async function requireListening(): Promise<void> {
    listening ??= listen()
    try {
      await listening
    } catch (error) {
      listening = undefined
      throw error
    }
  }

  /** Shows all faces of an album: at once, or one part after another if they do not fit into the memory. */
  async function visit(albumId: string, look: (album: Album) => void): Promise<void> {
    await requireListening()
    const album = albums.get(albumId) ?? emptyAlbum()
    use(albumId, album)
    let isWhole = true
    try {
      for (;;) {
        const page = await descriptorsAfter(db, albumId, album.last, FACES_IN_PAGE)
        if (!page) break
        const faces = page.length / BYTES_OF_FACE
        if (!makeSpace(album, album.count + faces)) {
          isWhole = false
          look(album)
          album.count = 0
          grow(album, faces)
        }
        append(album, page)
        if (faces < FACES_IN_PAGE) break
      }
      look(album)
    } finally {
      album.isInUse = false
      album.usedAt = Date.now()
      if (!isWhole) albums.delete(albumId)
      // It does not fit, or was dropped meanwhile.
      if (albums.get(albumId) !== album) free(album)
    }
  }

  function use(albumId: string, album: Album): void {
    album.isInUse = true
    albums.delete(albumId)
    albums.set(albumId, album)
  }

  /** @returns false when an album that is being read needs more than all albums may take */
  function makeSpace(album: Album, faces: number): boolean {
    const capacity = album.numbers.length
    if (faces <= capacity) return true
    const wanted = album.count === 0 ? faces : Math.ceil(SPARE * faces)
    let bytes = (wanted - capacity) * BYTES_OF_FACE
    for (const { numbers } of albums.values()) bytes += numbers.length * BYTES_OF_FACE
    for (const [leastUsed, other] of albums) {
      if (bytes <= maxBytes) break
      if (other === album || other.isInUse) continue
      bytes -= other.numbers.length * BYTES_OF_FACE
      drop(leastUsed)
    }
    if (bytes > maxBytes) return false
    grow(album, wanted)
    return true
  }

  /** Gives its memory back at once, unless it is in use. The garbage collector may come hours later in a thread that has
   *  nothing to do. */
  function drop(albumId: string): void {
    const album = albums.get(albumId)
    albums.delete(albumId)
    if (album && !album.isInUse) free(album)
  }

  function dropIdle(): void {
    for (const [albumId, { usedAt, isInUse }] of albums)
      if (!isInUse && Date.now() - usedAt >= maxIdleMs) drop(albumId)
  }

  return {
    async near(albumId, descriptors, distance, among) {
      const probes = descriptors.map((descriptor) => descriptor.map((value) => value * STEPS))
      const found: number[] = []
      await loads.run(albumId, () =>
        visit(albumId, (album) => {
          const places = among && placesOf(album, among)
          const faces = places?.length ?? album.count
          for (let i = 0; i < faces; i++) {
            const face = places?.[i] ?? i
            if (isNear(album, face, probes, distance)) found.push(album.numbers[face]!)
          }
        }),
      )
      return found
    },
    load: (albumId) => loads.run(albumId, () => visit(albumId, () => undefined)),
    has: (albumId) => albums.has(albumId),
    drop,
    close() {
      clearInterval(sweeping)
      for (const albumId of albums.keys()) drop(albumId)
      listening?.then((client) => client.release(true)).catch(() => undefined)
    },
  }
}

const emptyAlbum = (): Album => ({
  count: 0,
  vectors: new Int8Array(),
  numbers: new Float64Array(),
  last: 0,
  isInUse: false,
  usedAt: 0,
})

function grow(album: Album, faces: number): void {
  if (faces <= album.numbers.length) return
  album.vectors = new Int8Array(album.vectors.buffer.transfer(faces * DESCRIPTOR_LENGTH))
  album.numbers = new Float64Array(album.numbers.buffer.transfer(faces * NUMBER_BYTES))
}

function free(album: Album): void {
  album.vectors.buffer.transfer(0)
  album.numbers.buffer.transfer(0)
}

/** @param page as descriptorsAfter gave it */
function append(album: Album, page: Buffer): void {
  for (let at = 0; at < page.length; at += BYTES_OF_FACE) {
    album.last = Number(page.readBigInt64BE(at))
    album.vectors.set(page.subarray(at + NUMBER_BYTES, at + BYTES_OF_FACE), album.count * DESCRIPTOR_LENGTH)
    album.numbers[album.count++] = album.last
  }
}

/** Where those of these faces are that the album has. */
function placesOf({ numbers, count }: Album, wanted: readonly number[]): number[] {
  const all = numbers.subarray(0, count)
  return wanted.flatMap((number) => {
    const place = lowerBound(all, number)
    return all[place] === number ? place : []
  })
}

/** The place of the first number that is at least `wanted`. */
function lowerBound(sorted: Float64Array, wanted: number): number {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (sorted[middle]! < wanted) from = middle + 1
    else to = middle
  }
  return from
}

function isNear(
  { vectors }: Album,
  face: number,
  probes: readonly Float32Array[],
  distance: number,
): boolean {
  // Slightly more, because the square of a rounded number is not exact.
  const most = (distance * STEPS) ** 2 * (1 + 1e-9)
  for (const probe of probes) {
    let sum = 0
    for (let i = 0; i < DESCRIPTOR_LENGTH && sum <= most; ) {
      const end = i + AT_ONCE
      for (; i < end; i++) {
        const difference = vectors[face * DESCRIPTOR_LENGTH + i]! - probe[i]!
        sum += difference * difference
      }
    }
    if (sum <= most) return true
  }
  return false
}
