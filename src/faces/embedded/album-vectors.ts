import { totalmem } from 'node:os'
import type pg from 'pg'
import { dbOf } from '../../database/client.ts'
import { createLimiter } from '../../processes/limiter.ts'
import {
  type AlbumInMemory,
  append,
  BYTES_OF_FACE,
  copyNear,
  emptyAlbum,
  free,
  grow,
} from './album-in-memory.ts'
import { descriptorsAfter } from './queries.ts'

/** The descriptors of albums' faces in the memory of one thread. Each use first adds the faces that are new in the
 *  database. An album of which a face was removed is dropped, and loaded again at its next use; until then it may give
 *  faces that are gone, so what it gives has to be looked up in the table `faces`. */
export interface AlbumVectors {
  /** A copy of an album's faces within a distance of any of these descriptors. */
  near(albumId: string, descriptors: readonly Float32Array[], distance: number): Promise<AlbumInMemory>
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

/** The part of the memory of this machine or container that albums may take. The face engines, Postgres and other
 *  processes of Inframe need the rest. So a machine with 8 GB holds sixteen albums of 460,000 faces in one process. */
const PART_FOR_ALBUMS = 1 / 8

/** How many bytes albums may take in this process. */
export function bytesForAlbums(): number {
  // 0 or more than the machine has when there is no limit.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(totalmem(), limit) * PART_FOR_ALBUMS
}

interface HeldAlbum extends AlbumInMemory {
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
  const albums = new Map<string, HeldAlbum>()
  const loads = createLimiter({ running: LOADS_AT_ONCE, perKey: 1 })
  const sweeping = setInterval(dropIdle, Math.min(SWEEP_MS, maxIdleMs)).unref()
  /** Gives the connection back that hears of removed faces. */
  let listening: Promise<() => void> | undefined

  /** When the connection is lost, so may be what was announced meanwhile. */
  async function listen(): Promise<() => void> {
    const client = await pool.connect()
    let isReleased = false
    const release = () => {
      if (!isReleased) client.release(true)
      isReleased = true
    }
    client.on('notification', ({ payload = '' }) => drop(payload))
    client.on('error', () => {
      if (isReleased) return
      release()
      listening = undefined
      for (const albumId of albums.keys()) drop(albumId)
    })
    try {
      await client.query(`listen ${REMOVALS}`)
      return release
    } catch (error) {
      release()
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
  async function visit(albumId: string, look: (album: HeldAlbum) => void): Promise<void> {
    await requireListening()
    const album = albums.get(albumId) ?? { ...emptyAlbum(), isInUse: true, usedAt: 0 }
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

  function use(albumId: string, album: HeldAlbum): void {
    album.isInUse = true
    albums.delete(albumId)
    albums.set(albumId, album)
  }

  /** @returns false when an album that is being read needs more than all albums may take */
  function makeSpace(album: HeldAlbum, faces: number): boolean {
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
    async near(albumId, descriptors, distance) {
      const found = emptyAlbum()
      await loads.run(albumId, () => visit(albumId, (album) => copyNear(album, found, descriptors, distance)))
      return found
    },
    load: (albumId) => loads.run(albumId, () => visit(albumId, () => undefined)),
    has: (albumId) => albums.has(albumId),
    drop,
    close() {
      clearInterval(sweeping)
      for (const albumId of albums.keys()) drop(albumId)
      listening?.then((release) => release()).catch(() => undefined)
    },
  }
}
