import { setTimeout as pause } from 'node:timers/promises'
import { distinctPhotos } from '../photos.ts'
import { type ServerProcess, startInRole } from '../server-process.ts'
import { countIndexed, type Destination, uploadPhotos } from '../uploading.ts'
import { endBacklog, startWithBacklog } from './backlog.ts'
import { printLines } from './lines.ts'
import { openAlbum, type ScaleSite } from './site.ts'

const FIRST_AIM_S = 5
const ALL_AIM_S = 10

interface Waited {
  /** Seconds from the beginning of the upload until the first photo, and until all photos, were indexed. */
  first: number
  all: number
}

/** Six photos that are sent while many photos of another album wait to be indexed. */
export async function measureSmallAlbum(site: ScaleSite): Promise<void> {
  const idle = await startInRole('all', site.env)
  await sendSix(site, idle)
  const alone = await sendSix(site, idle)
  await idle.stop()

  const backlog = await startWithBacklog(site)
  const before = await backlog.indexed()
  const behind = await sendSix(site, backlog.service)
  const passed = (await backlog.indexed()) - before
  await endBacklog(backlog)

  printLines(`4. Six photos, sent while ${backlog.album.photos - before} others wait`, 'alone', [
    {
      what: 'until the first was indexed',
      measured: behind.first,
      yardstick: alone.first,
      unit: 's',
      aim: FIRST_AIM_S,
    },
    { what: 'until all were indexed', measured: behind.all, yardstick: alone.all, unit: 's', aim: ALL_AIM_S },
    { what: 'photos of the other album indexed meanwhile', measured: passed, unit: 'photos' },
  ])
}

async function sendSix({ pictures }: ScaleSite, service: ServerProcess): Promise<Waited> {
  const album = await openAlbum(service, `six-${Date.now()}`, pictures.length)
  const began = performance.now()
  const [first, all] = await Promise.all([
    secondsUntil(album, 1, began),
    secondsUntil(album, pictures.length, began),
    uploadPhotos(album, distinctPhotos(pictures, pictures.length)),
  ])
  return { first, all }
}

async function secondsUntil(album: Destination, photos: number, began: number): Promise<number> {
  while ((await countIndexed(album)) < photos) await pause(50)
  return (performance.now() - began) / 1_000
}
