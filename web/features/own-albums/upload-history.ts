import { createStore, delMany, entries, keys, set, setMany } from 'idb-keyval'
import { readOwnAlbums } from '../../lib/own-albums.ts'
import { pause } from '../../lib/pause.ts'
import { UPLOADS_DATABASE } from '../../lib/persisted.ts'

/** Ms for which an upload waits for the browser's store: some never answer. */
const ANSWER_MS = 2_000

/** How far an upload has come. */
interface RunCount {
  done: number
  total: number
}

export type UploadHistory = Awaited<ReturnType<typeof openUploadHistory>>

/** What the browser keeps for an album is under [its code, 'run'], and under [its code, any number] for each batch. */
const openStore = () => createStore(UPLOADS_DATABASE, 'photos')

/** Identifies a chosen file without reading it. The path starts at the folder that was chosen or dropped. The browser
 *  and file-selector may write './' or '/' before it. */
export function identityKey(photo: File & { path?: string }): string {
  const path = photo.path || photo.webkitRelativePath || photo.name
  return JSON.stringify([path.replace(/^\.?\/+/, ''), photo.size, photo.lastModified])
}

/** What this browser has uploaded to one album, so that it does not send photos twice. The service recognises photos
 *  that it has. So this may be lost: without a store (private window, full disk) it lasts as long as the page. What was
 *  uploaded to albums that are no longer of this browser is forgotten.
 *  @param ownerKey is not stored */
export async function openUploadHistory(ownerKey: string) {
  const album = albumCode(ownerKey)
  const store = openStore()
  const known = new Set<string>()
  let run: RunCount | null = null

  async function tried(change: () => Promise<void>): Promise<void> {
    try {
      await Promise.race([change(), pause(ANSWER_MS)])
    } catch (error) {
      console.warn('What was uploaded is not kept in this browser', error)
    }
  }

  await tried(async () => {
    const kept = new Set([album, ...readOwnAlbums().map(({ userAlbumId }) => albumCode(userAlbumId))])
    const records = await entries<[string, string | number], RunCount | string[]>(store)
    for (const [[code], value] of records)
      if (code !== album) continue
      else if (Array.isArray(value)) for (const photo of value) known.add(photo)
      else run = value
    // Without their owner keys the browser can no longer upload to the others.
    const others = records.flatMap(([key]) => (kept.has(key[0]) ? [] : [key]))
    if (others.length > 0) await delMany(others, store)
  })

  async function keepRun(next: RunCount | null): Promise<void> {
    run = next
    await tried(() => (next ? set([album, 'run'], next, store) : delMany([[album, 'run']], store)))
  }

  return {
    has: (photo: File) => known.has(identityKey(photo)),
    /** How far the last upload came; null when it was completed. */
    interrupted: () => run,
    begin: keepRun,
    /** Notes photos that are in the album now. */
    async note(photos: readonly File[]): Promise<void> {
      const noted = photos.map(identityKey)
      const done = (run?.done ?? 0) + photos.length
      run = { done, total: run?.total ?? done }
      for (const photo of noted) known.add(photo)
      const records: [IDBValidKey, unknown][] = [
        [[album, 'run'], run],
        [[album, Math.random()], noted],
      ]
      await tried(() => setMany(records, store))
    },
    /** The upload is completed. */
    end: () => keepRun(null),
  }
}

/** Lets photos of an album be uploaded again after some were deleted. The record of the last upload stays. */
export async function forgetUploads(ownerKey: string): Promise<void> {
  const store = openStore()
  const all = await keys<[string, string | number]>(store)
  const photos = all.filter(([code, name]) => code === albumCode(ownerKey) && name !== 'run')
  await delMany(photos, store)
}

/** Names an album in the store by the last 48 bits of its key's 192. They tell the albums of one browser apart, and the
 *  144 others cannot be guessed. */
const albumCode = (ownerKey: string) => ownerKey.slice(-8)
