import { availableParallelism } from 'node:os'
import { distinctPhotos } from '../photos.ts'
import { type ServerProcess, startInRole } from '../server-process.ts'
import { countIndexed, untilIndexed, uploadPhotos } from '../uploading.ts'
import { openAlbum, type ScaleAlbum, type ScaleSite } from './site.ts'

/** Real photos of 1,920 pixels. Two cores index them in about a minute. */
const PHOTOS = 600

export interface Backlog {
  /** Answers, and indexes the photos of the album. */
  service: ServerProcess
  album: ScaleAlbum
  indexed(): Promise<number>
}

/** Starts a process that has an album of real photos to index. */
export async function startWithBacklog({ env, pictures }: ScaleSite): Promise<Backlog> {
  const web = await startInRole('web', env)
  const stored = await openAlbum(web, `backlog-${Date.now()}`, PHOTOS)
  await uploadPhotos(stored, distinctPhotos(pictures, PHOTOS), 2)
  await web.stop()
  const service = await startInRole('all', env)
  const album = { ...stored, url: service.url }
  await untilIndexed(album, 2 * availableParallelism())
  return { service, album, indexed: () => countIndexed(album) }
}

/** Stops the process while photos wait to be indexed.
 *  @throws Error when none wait: the figures are then wrong */
export async function endBacklog({ service, album, indexed }: Backlog): Promise<void> {
  const left = album.photos - (await indexed())
  await service.stop()
  if (left <= 0) throw new Error('All photos were indexed before the measurement ended')
}
