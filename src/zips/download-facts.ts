import { crc32 } from 'node:zlib'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { createGate } from '../gate.ts'
import type { Decoders } from '../photos/decoders.ts'
import { findRendition } from '../photos/renditions.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { type PhotoToZip, setDownloadFacts } from './zip-queries.ts'

interface Deps {
  db: Db
  storage: FileStorage
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

const AT_ONCE = 2
/** The photos that this process prepares for zips at once, so that decoders remain free for single photos. */
const preparing = createGate(AT_ONCE)

/** Finds the sizes and checksums of downloads, and makes the files that do not exist yet. That may take half a second for
 *  each. What was found is kept, so another call continues where this one has stopped.
 *  @param until stops it early
 *  @throws AppError SERVICE_UNAVAILABLE */
export async function prepareDownloads(
  deps: Deps,
  photos: PhotoToZip[],
  until: AbortSignal,
): Promise<Prepared> {
  const prepared: Prepared = { ready: new Map(), unavailable: new Set() }
  const unknown: PhotoToZip[] = []
  for (const photo of photos) {
    const { id, download_size: size, download_crc32: checksum } = photo
    if (size !== null && checksum !== null) prepared.ready.set(id, { size, crc32: Number(checksum) })
    else unknown.push(photo)
  }
  const next = unknown.values()
  async function prepareOthers(): Promise<void> {
    for (const photo of next) {
      if (until.aborted) return
      const facts = await preparing(async () => (until.aborted ? 'stopped' : await prepareOne(deps, photo)))
      if (facts === 'unavailable') prepared.unavailable.add(photo.id)
      else if (facts !== 'stopped') prepared.ready.set(photo.id, facts)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, prepareOthers))
  return prepared
}

async function prepareOne(deps: Deps, photo: PhotoToZip): Promise<DownloadFacts | 'unavailable'> {
  try {
    const facts = await readFacts(deps, photo)
    await setDownloadFacts(deps.db, photo, facts)
    return facts
  } catch (error) {
    if (error instanceof AppError && error.code !== 'SERVICE_UNAVAILABLE') return 'unavailable'
    throw error
  }
}

async function readFacts(deps: Deps, photo: PhotoToZip): Promise<DownloadFacts> {
  const { key } = await findRendition(deps, photo, 'download')
  const { stream } = await deps.storage.open(key)
  const facts = { size: 0, crc32: 0 }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    facts.size += chunk.length
    facts.crc32 = crc32(chunk, facts.crc32)
  }
  return facts
}
