import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { photoKey } from '../../../src/photos/renditions.ts'
import { count, msOf, printLines, waits } from '../report.ts'
import { start } from '../service.ts'
import { type Album, findPhotos, load } from '../visitors.ts'
import type { ScaleSite } from './site.ts'

const THUMBNAIL_EVERY_MS = 50

/** The thumbnails and the searches of another album while a large one is erased, with two files for each photo. */
export async function measureErasing(site: ScaleSite): Promise<void> {
  const album = site.large.at(-1)!
  await storeFiles(site, album)
  const service = await start('all', site.env)
  await findPhotos(site.six, site.selfie)
  const before = await watch(site, () => pause(10_000))
  let [answer, gone] = [0, 0]
  const during = await watch(site, async () => {
    answer = await msOf(() => remains(album))
    gone = await msOf(async () => {
      // The receipt says when nothing remains.
      while ((await remains(album)) > 0) await pause(1_000)
    })
  })
  await service.stop()
  printLines(`1. While ${count(site.size)} photos are erased`, 'before', [
    ...waits("others' thumbnails", during.thumbnails, before.thumbnails, 100),
    ...waits("others' searches", during.searches, before.searches, undefined, 1),
    { what: 'the owner waits for an answer', measured: answer / 1_000, unit: 's' },
    { what: 'nothing remains after', measured: (answer + gone) / 1_000, unit: 's' },
  ])
}

/** Writes an original and a thumbnail for each photo. The service is not running. */
async function storeFiles({ db, dataDir }: ScaleSite, { id }: Album): Promise<void> {
  const photos = await db.selectFrom('photos').select('sha256').where('album_id', '=', id).execute()
  for (const { sha256 } of photos)
    for (const variant of ['original', 'thumb'] as const) {
      const file = join(dataDir, 'files', photoKey(id, sha256, variant))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, sha256)
    }
}

/** Loads thumbnails at a fixed rate, and searches again and again, while `work` runs.
 *  @returns ms of each */
async function watch({ six, selfie }: ScaleSite, work: () => Promise<unknown>) {
  const searches: number[] = []
  const loads: Promise<number>[] = []
  const photos = await findPhotos(six, selfie)
  let isOver = false
  const loadThumbnails = async () => {
    for (; !isOver; await pause(THUMBNAIL_EVERY_MS))
      loads.push(msOf(() => load(photos[loads.length % photos.length]!.thumbUrl)))
  }
  const searchOn = async () => {
    while (!isOver) searches.push(await msOf(() => findPhotos(six, selfie, searches.length)))
  }
  const finished = work().finally(() => {
    isOver = true
  })
  await Promise.all([finished, loadThumbnails(), searchOn()])
  return { thumbnails: await Promise.all(loads), searches }
}

/** Erases an album, or asks for the receipt. @returns what remains; nothing when the album was erased earlier */
async function remains({ owner, ownerKey }: Album): Promise<number> {
  const { status, body } = await owner.delete(`/api/albums/${ownerKey}`)
  return status === 404 ? 0 : body.rowsRemaining + body.filesRemaining + body.facesRemaining
}
