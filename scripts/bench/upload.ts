import { availableParallelism } from 'node:os'
import { renderThumbnail } from '../../src/photos/images.ts'
import { createLimiter } from '../../src/processes/limiter.ts'
import { processorMsOf } from '../../src/processes/process-figures.ts'
import { cameraPictures, distinctPhotos, smallPictures } from './photos.ts'
import { type Comparison, figure, printComparisons } from './report.ts'
import { type ServerProcess, startBareServer, startService } from './server-process.ts'
import { createAlbum, uploadPhotos } from './uploading.ts'

interface Size {
  name: string
  pictures: Buffer[]
  count: number
  countWhileIndexing: number
}

/** The result of one measurement. */
interface Run {
  perSecond: number
  /** Processor time for a photo, in ms. */
  processor: number
}

const WARM_UP_PHOTOS = 45

/** Measures how fast one client can upload photos, with and without indexing them at the same time. There are two
 *  yardsticks: a server that only writes the files, and making the thumbnails without a server. Inframe does both: it
 *  decodes every photo completely, and syncs everything to the disk before it answers. */
export async function benchUpload(): Promise<void> {
  const small = { name: '3 megapixels', pictures: smallPictures(), count: 300, countWhileIndexing: 150 }
  const camera = {
    name: '12 megapixels',
    pictures: await cameraPictures(),
    count: 150,
    countWhileIndexing: 75,
  }
  const sizes: Size[] = [small, camera]

  const bare = await uploadAll(await startBareServer(), sizes)
  const own = await uploadAll(await startService({ indexing: false }), sizes)
  const fewer = sizes.map((size) => ({ ...size, count: size.countWhileIndexing }))
  const whileIndexing = await uploadAll(await startService({ indexing: true }), fewer)
  const thumbnails: Run[] = []
  for (const size of sizes) thumbnails.push(await makeThumbnails(size))

  printComparisons(
    ['Uploading photos', 'Inframe', 'bare Fastify'],
    sizes.flatMap((size, index) => [
      ...compare(size, own[index]!, bare[index]!),
      compareSpeed(size, ', while indexing', whileIndexing[index]!, bare[index]!),
    ]),
  )
  console.log()
  printComparisons(
    ['Uploading photos', 'Inframe', 'thumbnails alone'],
    sizes.flatMap((size, index) => compare(size, own[index]!, thumbnails[index]!)),
  )
}

async function uploadAll(server: ServerProcess, sizes: Size[]): Promise<Run[]> {
  const intended = sizes.reduce((sum, { count }) => sum + count, WARM_UP_PHOTOS)
  const album = await createAlbum(server.url, intended)
  await uploadPhotos(album, distinctPhotos(sizes[0]!.pictures, WARM_UP_PHOTOS))
  const runs: Run[] = []
  for (const { pictures, count } of sizes) {
    const photos = distinctPhotos(pictures, count)
    const processor = () => processorMsOf(server.pid)
    runs.push(await measure(count, processor, () => uploadPhotos(album, photos)))
  }
  await server.stop()
  return runs
}

/** Makes thumbnails of photos in memory, on all cores. */
async function makeThumbnails({ pictures, count }: Size): Promise<Run> {
  const gate = createLimiter({ running: availableParallelism() })
  const photos = Array.from({ length: count / 2 }, (_, index) => pictures[index % pictures.length]!)
  const processor = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000
  return await measure(photos.length, processor, () =>
    Promise.all(photos.map((photo) => gate.run('', () => renderThumbnail(photo)))),
  )
}

async function measure(
  photos: number,
  processorMs: () => number,
  work: () => Promise<unknown>,
): Promise<Run> {
  const [start, before] = [performance.now(), processorMs()]
  await work()
  return {
    perSecond: (photos * 1000) / (performance.now() - start),
    processor: (processorMs() - before) / photos,
  }
}

function compare(size: Size, own: Run, yardstick: Run): Comparison[] {
  return [
    compareSpeed(size, '', own, yardstick),
    {
      what: '    processor time of each',
      measured: own.processor,
      yardstick: yardstick.processor,
      show: (ms) => `${figure(ms)} ms`,
    },
  ]
}

function compareSpeed({ name, pictures }: Size, condition: string, own: Run, yardstick: Run): Comparison {
  const megabytesEach = pictures.reduce((sum, { length }) => sum + length, 0) / pictures.length / 1_000_000
  return {
    what: `${name}, ${megabytesEach.toFixed(1)} MB${condition}`,
    measured: own.perSecond,
    yardstick: yardstick.perSecond,
    show: (photos) => `${figure(photos)}/s (${figure(photos * megabytesEach)} MB/s)`,
  }
}
