import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { createFaceWorkers } from '../../src/faces/embedded/networks/face-workers.ts'
import { createLog } from '../../src/log.ts'
import { renderSelfie } from '../../src/photos/images.ts'
import { residentBytesOf } from '../../src/processes/process-figures.ts'
import { samplePhotos } from '../../src/testing/sample-photos.ts'
import { selfieFrom } from '../../src/testing/selfie.ts'
import { distinct } from './photos.ts'
import { count, type Line, printLines, waits } from './report.ts'
import { createSite, residentBytes, type Site, start } from './service.ts'
import { undoLater } from './undo.ts'
import { type Album, atRate, countIndexed, findPhotos, openAlbum, untilIndexed, upload } from './visitors.ts'

const GUESTS = 12

/** Measures how long a guest waits for the photos of a selfie, while nothing else happens, and while photos wait to be
 *  indexed. One selfie comes each second. The yardstick is an engine of its own that gets the same selfie, in the same
 *  seconds.
 *  @param args the number of selfies, and that of photos; some are indexed during the measurement */
export async function benchSelfie([selfies = '48', photos = '1300']: string[]): Promise<void> {
  const site = await createSite()
  const engine = createFaceWorkers({ log: createLog('warn'), size: 1 })
  undoLater(() => engine.close())
  await engine.start()
  const { album, selfie } = await albumWithSelfie(site, { guests: GUESTS, side: 3_000 })
  const normalised = await renderSelfie(selfie)
  const measure = async (pid: number, seconds: number) => {
    const rate = { perSecond: 1, seconds }
    const memory = { service: 0, all: 0 }
    // Between two selfies, so that they do not wait for each other.
    const bareEngine = pause(500).then(() =>
      atRate(rate, async () => {
        await engine.describeSelfie(normalised)
        memory.service = Math.max(memory.service, residentBytesOf(pid))
        memory.all = Math.max(memory.all, residentBytes(pid))
      }),
    )
    const answers = await atRate(rate, (guest) => findPhotos(album, selfie, guest))
    return { answers, bare: await bareEngine, memory }
  }

  // A new process, in which no photo was indexed.
  const idle = await start('all', site.env)
  const atStart = residentBytes(idle.pid)
  await measure(idle.pid, GUESTS)
  const whileIdle = await measure(idle.pid, Number(selfies))
  await idle.stop()
  const busy = await startWithBacklog(site, Number(photos))
  const whileIndexing = await measure(busy.pid, Number(selfies))
  const left = await busy.end()

  const megabytes = (what: string, bytes: number): Line => ({ what, measured: bytes / 1e6, unit: 'MB' })
  printLines(`${selfies} selfies`, 'bare engine', [
    ...waits('idle', whileIdle.answers, whileIdle.bare, 250),
    ...waits(`${count(left)} photos and more wait`, whileIndexing.answers, whileIndexing.bare, 500),
    megabytes('memory at the start, with all processes', atStart),
    megabytes('    while guests search, at the most', whileIdle.memory.all),
    megabytes('    while photos wait, at the most', whileIndexing.memory.all),
    megabytes('    of that the service itself', whileIndexing.memory.service),
  ])
}

/** An album of the six event photos, indexed, and a selfie of somebody who is in it.
 *  @param side the width and height of the selfie in pixels */
export async function albumWithSelfie(
  { env, url, db }: Site,
  { guests, side }: { guests: number; side: number },
): Promise<{ album: Album; selfie: Buffer }> {
  const { stop } = await start('all', env)
  const pictures = samplePhotos()
  const album = await openAlbum(url, 'Six', guests)
  await upload(album, pictures.length, (index) => pictures[index]!)
  await untilIndexed(album, pictures.length)
  const face = await selfieFrom(db, 'photo-0.jpg', pictures[0]!)
  await stop()
  return { album, selfie: await sharp(face).resize(side, side, { fit: 'cover' }).jpeg().toBuffer() }
}

export interface Backlog {
  pid: number
  /** How many of the photos are indexed. */
  indexed(): Promise<number>
  /** Stops the process. @returns how many photos were left
   *  @throws Error when none was: the figures are then wrong */
  end(): Promise<number>
}

/** Starts a process that does everything, and has real photos of 1,920 pixels to index. Two cores index ten a second. */
export async function startWithBacklog({ env, url }: Site, photos: number): Promise<Backlog> {
  const pictures = samplePhotos()
  const web = await start('web', env)
  const album = await openAlbum(url, `Backlog ${Date.now()}`)
  await upload(album, photos, (index) => distinct(pictures[index % pictures.length]!), 2)
  await web.stop()
  const { pid, stop } = await start('all', env)
  await untilIndexed(album, 2 * availableParallelism())
  const indexed = () => countIndexed(album)
  return {
    pid,
    indexed,
    async end() {
      const left = photos - (await indexed())
      await stop()
      if (left <= 0) throw new Error('All photos were indexed before the measurement ended')
      return left
    },
  }
}
