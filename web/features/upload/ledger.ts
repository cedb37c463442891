import { promisifyRequest, type UseStore } from 'idb-keyval'
import { albumKey, openStore } from '../own-albums/uploaded-photos.ts'
import { identityKey, identityOf } from './photo-identity.ts'

/** How far an upload has come. */
export interface RunCount {
  done: number
  total: number
}

/** What this browser has uploaded to one album, so that it does not send photos twice. The service recognises photos
 *  that it has. So the ledger may be lost: without a store (private window, full disk) it lasts as long as the page. */
export interface UploadLedger {
  has(photo: File): boolean
  /** How far the last upload came; null when it was completed. */
  interrupted(): RunCount | null
  begin(run: RunCount): Promise<void>
  /** Notes photos that are in the album now. */
  note(photos: readonly File[]): Promise<void>
  /** The upload is completed. */
  end(): Promise<void>
}

/** Ms to wait for the browser's store: some browsers never answer. */
const ANSWER_MS = 2_000

/** @param ownerKey is not stored
 *  @param ownerKeys of all albums of this browser. What was uploaded to others is forgotten. */
export async function openLedger(ownerKey: string, ownerKeys: string[]): Promise<UploadLedger> {
  const album = albumKey(ownerKey)
  const kept = [...new Set([ownerKey, ...ownerKeys])].map(albumKey)
  const store = openStore()
  let isSilent = false

  /** A store that has not answered in time is not asked again. */
  async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    let timer: ReturnType<typeof setTimeout>
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isSilent = true
        reject(new Error('The store did not answer'))
      }, ANSWER_MS)
    })
    return await Promise.race([answer, late]).finally(() => clearTimeout(timer))
  }

  const { known, run: stopped } = await inTime(read(store, album, kept)).catch((error: unknown) => {
    console.warn('What was uploaded before cannot be looked up', error)
    return { known: new Set<string>(), run: null }
  })
  let run = stopped

  async function write(change: (records: IDBObjectStore) => void): Promise<void> {
    if (isSilent) return
    try {
      await inTime(
        store('readwrite', (records) => {
          change(records)
          return promisifyRequest(records.transaction)
        }),
      )
    } catch (error) {
      console.warn('What was uploaded could not be noted', error)
    }
  }

  return {
    has: (photo) => known.has(identityKey(photo)),
    interrupted: () => run,
    async begin(next) {
      run = next
      await write((records) => records.put(next, [album]))
    },
    async note(photos) {
      const done = (run?.done ?? 0) + photos.length
      run = { done, total: run?.total ?? done }
      for (const photo of photos) known.add(identityKey(photo))
      await write((records) => {
        records.put(run, [album])
        for (const photo of photos) records.put(1, [album, ...identityOf(photo)])
      })
    },
    async end() {
      run = null
      await write((records) => records.delete([album]))
    },
  }
}

/** Also forgets albums that are not kept: without their owner keys the browser can no longer upload to them. */
async function read(
  store: UseStore,
  album: string,
  kept: string[],
): Promise<{ known: Set<string>; run: RunCount | null }> {
  const [keys, run] = await store('readwrite', (records) => {
    const own = IDBKeyRange.bound([album], [album, []])
    // The records of an album are between [album] and [album, []].
    const sorted = [...kept].sort((one, other) => indexedDB.cmp(one, other))
    for (const [index, next] of sorted.entries())
      records.delete(
        index === 0
          ? IDBKeyRange.upperBound([next], true)
          : IDBKeyRange.bound([sorted[index - 1], []], [next], false, true),
      )
    records.delete(IDBKeyRange.lowerBound([sorted.at(-1), []]))
    return Promise.all([
      promisifyRequest(records.getAllKeys(own)),
      promisifyRequest<RunCount | undefined>(records.get([album])),
    ])
  })
  const photos = keys.map((key) => (key as IDBValidKey[]).slice(1)).filter((identity) => identity.length > 0)
  return { known: new Set(photos.map((identity) => JSON.stringify(identity))), run: run ?? null }
}
