import { totalmem } from 'node:os'
import { createLimiter } from '../../processes/limiter.ts'
import type { CollectionState, DescriptorReader } from './descriptor-store.ts'
import { bytesOfFaces, createFaceCodes, type FaceCodes } from './face-codes.ts'

/** Albums' faces in memory, updated from the store at each use. */
export interface AlbumCache {
  /** Shows all faces of an album to `look`: at once, or one part after another if they do not fit into the cache. They
   *  may change or go as soon as `look` returns. */
  visit(albumId: string, state: CollectionState, look: (faces: FaceCodes) => void): Promise<void>
  /** Whether it is useless to load this album before a search: it is in memory, or too large for it. */
  knows(albumId: string): boolean
  forget(albumId: string): void
  clear(): void
}

export interface AlbumCacheLimits {
  /** Bytes of all albums. When they need more, the least recently used albums go. */
  maxBytes: number
  /** Ms for which an album stays that nobody searches. */
  maxIdleMs?: number
}

interface Held {
  faces: FaceCodes
  revision: number
  /** Milliseconds since 1970. */
  usedAt: number
}

export const MAX_IDLE_MS = 60 * 60_000

const SWEEP_MS = 60_000

/** Loading is bound by Postgres, so more at once would not be faster. What was added to an album in memory is loaded
 *  without waiting. */
const WHOLE_LOADS_AT_ONCE = 2

/** The part of the memory of this machine or container that albums may take. The face engines, Postgres and other
 *  processes of Inframe need the rest. So a machine with 8 GB holds about fifteen albums of 450,000 faces in one
 *  process. */
const PART_FOR_ALBUMS = 1 / 8

/** How many bytes albums may take in this process. */
export function bytesForAlbums(): number {
  // 0 or more than the machine has when there is no limit.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(totalmem(), limit) * PART_FOR_ALBUMS
}

export function createAlbumCache(
  reader: DescriptorReader,
  { maxBytes, maxIdleMs = MAX_IDLE_MS }: AlbumCacheLimits,
): AlbumCache {
  /** In the order of use. */
  const albums = new Map<string, Held>()
  const loading = new Set<FaceCodes>()
  /** Albums that are larger than the whole cache. */
  const tooLarge = new Set<string>()
  const turns = new Map<string, Promise<unknown>>()
  const wholeLoad = createLimiter({ running: WHOLE_LOADS_AT_ONCE })
  const sweeping = setInterval(() => void sweep(), Math.min(SWEEP_MS, maxIdleMs)).unref()

  /** The album's faces if they are in memory and current. */
  function current(albumId: string, { revision }: CollectionState): FaceCodes | undefined {
    const held = albums.get(albumId)
    if (!held || held.revision < revision) return undefined
    hold(albumId, held.faces, held.revision)
    return held.faces
  }

  function hold(albumId: string, faces: FaceCodes, revision: number): void {
    albums.delete(albumId)
    albums.set(albumId, { faces, revision, usedAt: Date.now() })
  }

  async function update(
    albumId: string,
    state: CollectionState,
    look: (faces: FaceCodes) => void,
  ): Promise<void> {
    const known = current(albumId, state)
    if (known) return look(known)
    const held = albums.get(albumId)
    // Not in the cache until it is complete: after a load that fails halfway, faces must not be added twice.
    albums.delete(albumId)
    const faces = held?.faces ?? createFaceCodes()
    loading.add(faces)
    let isKept = false
    try {
      const after = held ? await removeGone(albumId, held, state) : 0
      const load = () => loadInto(albumId, faces, { after, upTo: state.revision }, look)
      isKept = await (after > 0 ? load() : wholeLoad.run('', load))
      if (isKept) hold(albumId, faces, state.revision)
    } finally {
      loading.delete(faces)
      if (!isKept) faces.clear()
    }
  }

  /** Takes the removed faces out of an album.
   *  @returns the revision up to which its other faces are complete; 0 when everything has to be loaded again */
  async function removeGone(albumId: string, held: Held, state: CollectionState): Promise<number> {
    if (state.removedRevision <= held.revision) return held.revision
    const removed = await reader.removedFaces(albumId, held.revision, state)
    if (removed) held.faces.remove(removed)
    else held.faces.clear()
    return removed ? held.revision : 0
  }

  /** Adds faces, and shows all of them. From the moment when they do not fit, they are shown and dropped in parts.
   *  @returns whether all are in `faces` */
  async function loadInto(
    albumId: string,
    faces: FaceCodes,
    range: { after: number; upTo: number },
    look: (faces: FaceCodes) => void,
  ): Promise<boolean> {
    let count = faces.size
    let fits = !tooLarge.has(albumId)
    await reader.load(albumId, range, (chunk) => {
      faces.add(chunk)
      count += chunk.count
      fits &&= makeSpace()
      if (fits) return
      look(faces)
      faces.clear()
    })
    look(faces)
    if (bytesOfFaces(count) > maxBytes) tooLarge.add(albumId)
    else tooLarge.delete(albumId)
    return fits
  }

  /** @returns whether everything fits, after the least recently used albums have gone as far as necessary */
  function makeSpace(): boolean {
    let bytes = 0
    for (const faces of loading) bytes += faces.bytes
    for (const { faces } of albums.values()) bytes += faces.bytes
    for (const [leastUsed, { faces }] of albums) {
      if (bytes <= maxBytes) break
      bytes -= faces.bytes
      drop(leastUsed)
    }
    return bytes <= maxBytes
  }

  function drop(albumId: string): void {
    albums.get(albumId)?.faces.clear()
    albums.delete(albumId)
  }

  /** Drops the albums that nobody searches, and those that another process has erased. */
  async function sweep(): Promise<void> {
    for (const [albumId, { usedAt }] of albums) if (Date.now() - usedAt >= maxIdleMs) drop(albumId)
    const held = [...albums.keys()]
    if (held.length === 0) return
    // While the database is away, nothing is known to be erased.
    const states = await reader.states(held).catch(() => undefined)
    if (states) for (const albumId of held) if (!states.has(albumId)) drop(albumId)
  }

  /** One load of an album at a time: other calls wait and then find it loaded. */
  async function inTurn(albumId: string, work: () => Promise<void>): Promise<void> {
    const turn = (turns.get(albumId) ?? Promise.resolve()).then(work, work)
    turns.set(albumId, turn)
    try {
      await turn
    } finally {
      if (turns.get(albumId) === turn) turns.delete(albumId)
    }
  }

  return {
    async visit(albumId, state, look) {
      const known = current(albumId, state)
      if (known) look(known)
      else await inTurn(albumId, () => update(albumId, state, look))
    },

    knows: (albumId) => albums.has(albumId) || tooLarge.has(albumId),

    forget(albumId) {
      drop(albumId)
      tooLarge.delete(albumId)
    },

    clear() {
      clearInterval(sweeping)
      for (const albumId of [...albums.keys()]) drop(albumId)
    },
  }
}
