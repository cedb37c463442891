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
  /** Bytes of all albums. When they need more, the album that was used longest ago goes, unless somebody searches it now. */
  maxBytes: number
}

/** For which an album stays that nobody searches. */
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
export function createAlbumVectors(pool: pg.Pool, { maxBytes }: VectorLimits): AlbumVectors {
  const db = dbOf(pool)
  /** In the order of use. */
  const albums = new Map<string, HeldAlbum>()
  const loads = createLimiter({ running: LOADS_AT_ONCE, perKey: 1 })
  const sweeping = setInterval(dropIdle, SWEEP_MS).unref()
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

  /** Shows all faces of an album. */
  async function visit(albumId: string, look: (album: HeldAlbum) => void): Promise<void> {
    listening ??= listen().catch((error: unknown) => {
      listening = undefined
      throw error
    })
    await listening
    const album = albums.get(albumId) ?? { ...emptyAlbum(), isInUse: true, usedAt: 0 }
    album.isInUse = true
    albums.delete(albumId)
    albums.set(albumId, album)
    try {
      for (;;) {
        const page = await descriptorsAfter(db, albumId, album.last, FACES_IN_PAGE)
        if (!page) break
        const faces = page.length / BYTES_OF_FACE
        makeSpace(album, album.count + faces)
        append(album, page)
        if (faces < FACES_IN_PAGE) break
      }
      look(album)
    } finally {
      album.isInUse = false
      album.usedAt = Date.now()
      // It was dropped meanwhile.
      if (albums.get(albumId) !== album) free(album)
      dropBeyond(maxBytes)
    }
  }

  function makeSpace(album: HeldAlbum, faces: number): void {
    const capacity = album.numbers.length
    if (faces <= capacity) return
    const wanted = album.count === 0 ? faces : Math.ceil(SPARE * faces)
    dropBeyond(maxBytes - (wanted - capacity) * BYTES_OF_FACE)
    grow(album, wanted)
  }

  /** Drops the least recently used albums until the others take at most so many bytes. */
  function dropBeyond(most: number): void {
    const bytesOf = ({ numbers }: HeldAlbum) => numbers.length * BYTES_OF_FACE
    let bytes = [...albums.values()].reduce((sum, album) => sum + bytesOf(album), 0)
    for (const [albumId, album] of albums) {
      if (bytes <= most) return
      if (album.isInUse) continue
      bytes -= bytesOf(album)
      drop(albumId)
    }
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
      if (!isInUse && Date.now() - usedAt >= MAX_IDLE_MS) drop(albumId)
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
