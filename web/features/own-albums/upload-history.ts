import { createStore, delMany, entries, keys, set, setMany } from 'idb-keyval'
import { readOwnAlbums } from '../../lib/own-albums.ts'
import { pause } from '../../lib/pause.ts'
import { UPLOADS_DATABASE } from '../../lib/persisted.ts'

/** How far an upload has come. */
export interface RunCount {
  done: number
  total: number
}

/** What this browser has uploaded to one album, so that it does not send photos twice. The service recognises photos
 *  that it has. So this may be lost: without a store (private window, full disk) it lasts as long as the page. */
export interface UploadHistory {
  has(photo: File): boolean
  /** How far the last upload came; null when it was completed. */
  interrupted(): RunCount | null
  begin(run: RunCount): Promise<void>
  /** Notes photos that are in the album now. */
  note(photos: readonly File[]): Promise<void>
  /** The upload is completed. */
  end(): Promise<void>
}

/** What the browser keeps for an album is under [its code, 'run'], and under [its code, any number] for each batch. */
const openStore = () => createStore(UPLOADS_DATABASE, 'photos')

/** Ms to wait for the browser's store: some browsers never answer. */
const ANSWER_MS = 2_000

/** Identifies a chosen file without reading it. The path starts at the folder that was chosen or dropped. The browser
 *  and file-selector may write './' or '/' before it. */
export function identityKey(photo: File & { path?: string }): string {
  const path = photo.path || photo.webkitRelativePath || photo.name
  return JSON.stringify([path.replace(/^\.?\/+/, ''), photo.size, photo.lastModified])
}

/** What was uploaded to albums that are no longer of this browser is forgotten.
 *  @param ownerKey is not stored */
export async function openUploadHistory(ownerKey: string): Promise<UploadHistory> {
  const album = albumCode(ownerKey)
  const store = openStore()
  const known = new Set<string>()
  let run: RunCount | null = null
  let isSilent = false

  /** A store that has not answered in time is not asked again. */
  async function inTime(answer: () => Promise<void>): Promise<void> {
    if (isSilent) return
    const answered = new AbortController()
    const late = pause(ANSWER_MS, answered.signal).then(() => {
      isSilent = true
      throw new Error('The store did not answer')
    })
    // A private window throws at once, inside `answer`.
    await Promise.race([(async () => await answer())(), late])
      .catch((error: unknown) => console.warn('What was uploaded is not kept in this browser', error))
      .finally(() => answered.abort())
  }

  await inTime(async () => {
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

  return {
    has: (photo) => known.has(identityKey(photo)),
    interrupted: () => run,
    async begin(next) {
      run = next
      await inTime(() => set([album, 'run'], next, store))
    },
    async note(photos) {
      if (photos.length === 0) return
      const noted = photos.map(identityKey)
      const done = (run?.done ?? 0) + photos.length
      run = { done, total: run?.total ?? done }
      for (const photo of noted) known.add(photo)
      await inTime(() =>
        setMany(
          [
            [[album, 'run'], run],
            [[album, Math.random()], noted],
          ],
          store,
        ),
      )
    },
    async end() {
      run = null
      await inTime(() => delMany([[album, 'run']], store))
    },
  }
}

/** Lets photos of an album be uploaded again after some were deleted. The record of the last upload stays. */
export async function forgetUploads(ownerKey: string): Promise<void> {
  const album = albumCode(ownerKey)
  const store = openStore()
  const all = await keys<[string, string | number]>(store)
  await delMany(
    all.filter(([code, name]) => code === album && name !== 'run'),
    store,
  )
}

/** Names an album in the store without its key. 64 bits (FNV-1a): enough for the albums of one browser, and far too few to
 *  reveal a key of 192 bits. */
function albumCode(ownerKey: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(ownerKey))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(36)
}
