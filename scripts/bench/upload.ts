import { availableParallelism } from 'node:os'
import { renderThumbnail } from '../../src/photos/images.ts'
import { createLimiter } from '../../src/processes/limiter.ts'
import { samplePhotos } from '../../src/testing/sample-photos.ts'
import { cameraPictures, distinct } from './photos.ts'
import { type Cost, costOf, type Line, printLines } from './report.ts'
import { createSite, processorMs, type Site, start } from './service.ts'
import { openAlbum, upload } from './visitors.ts'

const WARM_UP_PHOTOS = 45

type Size = { name: string; pictures: Buffer[]; count: number }

/** Measures how fast one client can upload photos, with and without indexing them at the same time. The yardstick is
 *  making the thumbnails, without a server. Inframe also checks and stores every photo, and syncs everything to the disk
 *  before it answers. */
export async function benchUpload([photos = '300']: string[]): Promise<void> {
  const sizes = [
    { name: '3 megapixels', pictures: samplePhotos(), count: Number(photos) },
    { name: '12 megapixels', pictures: await cameraPictures(), count: Math.ceil(Number(photos) / 2) },
  ]
  const site = await createSite()
  const own = await uploadAll(site, 'web', sizes)
  const whileIndexing = await uploadAll(site, 'all', sizes)
  const lines: Line[] = []
  for (const [index, size] of sizes.entries()) {
    const thumbnails = await makeThumbnails(size)
    const yardstick = thumbnails.perSecond
    const speed = (what: string, { perSecond: measured }: Cost): Line => ({
      ...{ what: `${size.name}${what}`, measured, yardstick, unit: 'photos/s' },
    })
    const { processor } = own[index]!
    lines.push(
      speed('', own[index]!),
      {
        what: '    processor time of each',
        measured: processor,
        yardstick: thumbnails.processor,
        unit: 'ms',
      },
      speed(', while indexing', whileIndexing[index]!),
    )
  }
  printLines('Uploading photos', 'thumbnails alone', lines)
}

async function uploadAll(site: Site, role: 'web' | 'all', sizes: Size[]): Promise<Cost[]> {
  const { pid, stop } = await start(role, site.env)
  const album = await openAlbum(site.url)
  await upload(album, WARM_UP_PHOTOS, (index) => distinct(sizes[0]!.pictures[index % 6]!))
  const costs: Cost[] = []
  for (const { pictures, count } of sizes) {
    const send = () => upload(album, count, (index) => distinct(pictures[index % 6]!))
    costs.push(await costOf(count, () => processorMs(pid), send))
  }
  await stop()
  return costs
}

/** Makes thumbnails of photos in memory, on all cores. */
function makeThumbnails({ pictures, count }: Size): Promise<Cost> {
  const gate = createLimiter({ running: availableParallelism() })
  const photos = Array.from(
    { length: Math.ceil(count / 2) },
    (_, index) => pictures[index % pictures.length]!,
  )
  const work = () => Promise.all(photos.map((photo) => gate.run('', () => renderThumbnail(photo))))
  return costOf(photos.length, () => processorMs(process.pid), work)
}
