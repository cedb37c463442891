import type { CollectionState, DescriptorStore } from './descriptor-store.ts'
import { createFaceSet, type FaceSet } from './matcher.ts'

/** Albums' faces in memory, updated from the store at each use. */
export interface AlbumCache {
  /** The current faces of these albums, by album. Albums without a collection are missing from the answer. */
  current(albumIds: string[]): Promise<Map<string, FaceSet>>
  forget(albumId: string): void
  clear(): void
}

interface Held {
  faces: FaceSet
  revision: number
  /** Milliseconds since 1970. */
  usedAt: number
}

const SWEEP_MS = 60_000

/** Holds about `maxFaces` faces (about 0.7 KB each). Above that the least recently used albums go. An album that
 *  is larger than the limit is held alone.
 *  @param maxIdleMs how long an unused album is held: another process may have erased it. */
export function createAlbumCache(
  store: DescriptorStore,
  maxFaces = 1_000_000,
  maxIdleMs = 15 * 60_000,
): AlbumCache {
  /** In the order of use. */
  const albums = new Map<string, Held>()
  const sweeping = setInterval(forgetIdle, Math.min(SWEEP_MS, maxIdleMs)).unref()
  const loading = new Map<string, Promise<unknown>>()

  async function upToDate(albumId: string, state: CollectionState): Promise<FaceSet> {
    const held = albums.get(albumId)
    if (held && held.revision >= state.revision) {
      hold(albumId, { ...held, usedAt: Date.now() })
      return held.faces
    }
    return inTurn(albumId, () => load(albumId, state))
  }

  async function load(albumId: string, { revision, removedRevision }: CollectionState): Promise<FaceSet> {
    const held = albums.get(albumId)
    if (held && held.revision >= revision) return held.faces
    const usable = held && held.revision >= removedRevision ? held : undefined
    const faces = usable?.faces ?? createFaceSet()
    // Not in the cache until it is complete: after a load that fails halfway, faces must not be added twice.
    albums.delete(albumId)
    for await (const chunk of store.load(albumId, usable?.revision ?? 0, revision)) faces.add(chunk)
    hold(albumId, { faces, revision, usedAt: Date.now() })
    return faces
  }

  function hold(albumId: string, album: Held): void {
    albums.delete(albumId)
    albums.set(albumId, album)
    let total = 0
    for (const { faces } of albums.values()) total += faces.size
    for (const [leastUsed, { faces }] of albums) {
      if (total <= maxFaces || leastUsed === albumId) break
      albums.delete(leastUsed)
      total -= faces.size
    }
  }

  function forgetIdle(): void {
    for (const [albumId, { usedAt }] of albums) if (Date.now() - usedAt >= maxIdleMs) albums.delete(albumId)
  }

  /** One load of an album at a time: other calls wait and then find it loaded. */
  async function inTurn<T>(albumId: string, work: () => Promise<T>): Promise<T> {
    const turn = (loading.get(albumId) ?? Promise.resolve()).then(work, work)
    loading.set(albumId, turn)
    try {
      return await turn
    } finally {
      if (loading.get(albumId) === turn) loading.delete(albumId)
    }
  }

  return {
    async current(albumIds) {
      const states = await store.states(albumIds)
      const current = new Map<string, FaceSet>()
      for (const albumId of albumIds) {
        const state = states.get(albumId)
        if (state) current.set(albumId, await upToDate(albumId, state))
        else albums.delete(albumId)
      }
      return current
    },

    forget(albumId) {
      albums.delete(albumId)
    },

    clear() {
      clearInterval(sweeping)
      albums.clear()
    },
  }
}
