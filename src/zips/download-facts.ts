import { crc32 } from 'node:zlib'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { Decoders } from '../photos/decoders.ts'
import { type Asker, findRendition } from '../photos/renditions.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import type { FreeDisk } from '../storage/free-disk.ts'
import { type PhotoToZip, setDownloadFacts } from './zip-queries.ts'

interface Deps {
  db: Db
  storage: FileStorage
  freeDisk: FreeDisk
  decoders: Decoders
}

export interface DownloadFacts {
  /** Bytes. */
  size: number
  crc32: number
}

/** What is known of the downloads of some photos, by the photos' ids. */
export interface Prepared {
  ready: Map<string, DownloadFacts>
  /** Photos that cannot be downloaded: they have been erased meanwhile, or cannot be decoded. */
  unavailable: Set<string>
}

/** Photos that one call prepares at once. */
const AT_ONCE = 2

/** Finds the sizes and checksums of downloads, and makes the files that do not exist yet. That may take half a second for
 *  each. What was found is kept, so another call continues where this one has stopped.
 *  @param caller.network takes turns with other networks
 *  @param caller.until ends the call, also while a photo is made
 *  @throws AppError SERVICE_UNAVAILABLE */
export async function prepareDownloads(
  deps: Deps,
  photos: PhotoToZip[],
  { network, until }: { network: string; until: AbortSignal },
): Promise<Prepared> {
  const prepared: Prepared = { ready: new Map(), unavailable: new Set() }
  const unknown: PhotoToZip[] = []
  for (const photo of photos) {
    const facts = knownFacts(photo)
    if (facts) prepared.ready.set(photo.id, facts)
    else unknown.push(photo)
  }
  const next = unknown.values()
  async function prepareOthers(): Promise<void> {
    for (const photo of next) {
      const facts = await prepareOne(deps, photo, { network, signal: until })
      if (facts === undefined) return
      if (facts === 'unavailable') prepared.unavailable.add(photo.id)
      else prepared.ready.set(photo.id, facts)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, prepareOthers))
  return prepared
}

/** What an earlier zip has found. */
export function knownFacts({ download_size, download_crc32 }: PhotoToZip): DownloadFacts | undefined {
  if (download_size === null || download_crc32 === null) return undefined
  return { size: download_size, crc32: Number(download_crc32) }
}

/** @returns undefined when the call has ended */
async function prepareOne(
  deps: Deps,
  photo: PhotoToZip,
  asker: Asker,
): Promise<DownloadFacts | 'unavailable' | undefined> {
  if (asker.signal?.aborted) return undefined
  try {
    const facts = await readFacts(deps, photo, asker)
    await setDownloadFacts(deps.db, photo, facts)
    return facts
  } catch (error) {
    if (asker.signal?.aborted) return undefined
    if (error instanceof AppError && error.code !== 'SERVICE_UNAVAILABLE') return 'unavailable'
    throw error
  }
}

async function readFacts(deps: Deps, photo: PhotoToZip, asker: Asker): Promise<DownloadFacts> {
  const { key } = await findRendition(deps, photo, 'download', asker)
  const { stream } = await deps.storage.open(key)
  const facts = { size: 0, crc32: 0 }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    facts.size += chunk.length
    facts.crc32 = crc32(chunk, facts.crc32)
  }
  return facts
}
