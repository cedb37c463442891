import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Remains } from '../../../src/contract/albums.ts'
import { photoKey } from '../../../src/photos/renditions.ts'
import { startInRole } from '../server-process.ts'
import { at, count, type Line, printLines } from './lines.ts'
import { search, timedSearch } from './searching.ts'
import type { ScaleAlbum, ScaleSite } from './site.ts'

const THUMBNAIL_EVERY_MS = 50
const SECONDS_BEFORE = 10
const THUMBNAIL_AIM_MS = 100
const RECEIPT_EVERY_MS = 1_000

/** What other visitors have waited for, in ms of each answer. */
interface Waits {
  thumbnails: number[]
  searches: number[]
}

/** The thumbnails and the searches of another album while a large one is erased, with two files for each photo. */
export async function measureErasing(site: ScaleSite): Promise<void> {
  const album = site.large.at(-1)!
  await storeFiles(site, album)
  const service = await startInRole('all', site.env)
  await timedSearch(service.url, site.six, site.selfie)
  const before = await watch(site, service.url, () => pause(SECONDS_BEFORE * 1_000))
  const began = performance.now()
  const seconds = { answer: 0, gone: 0 }
  const during = await watch(site, service.url, async () => {
    await erase(service.url, album)
    seconds.answer = (performance.now() - began) / 1_000
    await untilGone(service.url, album)
    seconds.gone = (performance.now() - began) / 1_000
  })
  await service.stop()

  const line = (what: string, of: (waits: Waits) => number[], share: number, aim?: number): Line => ({
    what,
    measured: at(of(during), share),
    yardstick: at(of(before), share),
    unit: 'ms',
    ...(aim !== undefined && { aim }),
  })
  printLines(`1. While ${count(site.size)} photos are erased`, 'before', [
    line("others' thumbnails, half within", ({ thumbnails }) => thumbnails, 0.5),
    line('    95% within', ({ thumbnails }) => thumbnails, 0.95, THUMBNAIL_AIM_MS),
    line("others' searches, half within", ({ searches }) => searches, 0.5),
    line('    the slowest', ({ searches }) => searches, 1),
    { what: 'the owner waits for an answer', measured: seconds.answer, unit: 's' },
    { what: 'nothing remains after', measured: seconds.gone, unit: 's' },
  ])
}

/** Writes an original and a thumbnail for each photo. The service is not running. */
async function storeFiles({ db, dataDir }: ScaleSite, { id }: ScaleAlbum): Promise<void> {
  const photos = await db.selectFrom('photos').select('sha256').where('album_id', '=', id).execute()
  for (const { sha256 } of photos) {
    const fileOf = (variant: 'original' | 'thumb') => join(dataDir, 'files', photoKey(id, sha256, variant))
    mkdirSync(dirname(fileOf('original')), { recursive: true })
    writeFileSync(fileOf('original'), sha256)
    writeFileSync(fileOf('thumb'), sha256)
  }
}

/** Loads thumbnails at a fixed rate, and searches again and again, while `work` runs. */
async function watch({ six, selfie }: ScaleSite, url: string, work: () => Promise<void>): Promise<Waits> {
  const waits: Waits = { thumbnails: [], searches: [] }
  const { photos } = await search(url, six, selfie)
  let isOver = false
  const loaded: Promise<void>[] = []
  const load = async (address: string) => {
    const begin = performance.now()
    const response = await fetch(address)
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`A thumbnail was answered with ${response.status}`)
    waits.thumbnails.push(performance.now() - begin)
  }
  const loadThumbnails = async () => {
    for (let number = 0; !isOver; number++) {
      loaded.push(load(photos[number % photos.length]!.thumbUrl))
      await pause(THUMBNAIL_EVERY_MS)
    }
  }
  const searchOn = async () => {
    for (let guest = 0; !isOver; guest++) waits.searches.push(await timedSearch(url, six, selfie, guest))
  }
  await Promise.all([work().finally(() => (isOver = true)), loadThumbnails(), searchOn()])
  await Promise.all(loaded)
  return waits
}

/** @returns what remains; nothing when the album is unknown, because it was erased earlier */
async function erase(url: string, { ownerKey }: ScaleAlbum): Promise<number> {
  const response = await fetch(`${url}/api/albums/${ownerKey}`, { method: 'DELETE' })
  if (response.status === 404) return 0
  const { rowsRemaining, filesRemaining, facesRemaining } = (await response.json()) as Remains
  return rowsRemaining + filesRemaining + facesRemaining
}

/** Asks for the receipt until it says that nothing remains. */
async function untilGone(url: string, album: ScaleAlbum): Promise<void> {
  while ((await erase(url, album)) > 0) await pause(RECEIPT_EVERY_MS)
}
