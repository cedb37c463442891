import { distinctPhotos, smallPictures } from './photos.ts'
import { poll } from './polling.ts'
import { processorMsOf } from './process-figures.ts'
import { type Comparison, figure, printComparisons } from './report.ts'
import { type ServerProcess, startBareServer, startService } from './server-process.ts'
import { createAlbum, uploadPhotos } from './uploading.ts'

const CONNECTIONS = [1, 50]
const WARM_UP_SECONDS = 1.5
const SECONDS = 5

interface Run {
  perSecond: number
  /** Milliseconds. */
  p99: number
  /** Processor time an answer, in ms; a database's is not in it. */
  processor: number
}

/** How many pages may poll an album's progress while its upload goes on. */
export async function benchProgress(): Promise<void> {
  const service = await startService({ indexing: false })
  const bare = await startBareServer()
  const album = await createAlbum(service.url, 30)
  await uploadPhotos(album, distinctPhotos(smallPictures(), 15))
  const path = `/api/albums/${album.ownerKey}/progress`

  const comparisons: Comparison[] = []
  for (const connections of CONNECTIONS) {
    const own = await measure(service, path, connections)
    const yardstick = await measure(bare, path, connections)
    const add = (what: string, key: keyof Run, show: (value: number) => string) =>
      comparisons.push({ what, measured: own[key], yardstick: yardstick[key], show })
    add(
      connections === 1 ? '1 connection' : `${connections} connections`,
      'perSecond',
      (n) => `${figure(n)}/s`,
    )
    add('    99% of them within', 'p99', (n) => `${figure(n)} ms`)
    add('    processor time of each', 'processor', (n) => `${figure(n)} ms`)
  }
  printComparisons(['Polling the progress of an album', 'Inframe', 'bare Fastify'], comparisons)
}

async function measure({ url, pid }: ServerProcess, path: string, connections: number): Promise<Run> {
  await poll(url + path, connections, WARM_UP_SECONDS)
  const before = processorMsOf(pid)
  const run = await poll(url + path, connections, SECONDS)
  return { ...run, processor: (processorMsOf(pid) - before) / (run.perSecond * SECONDS) }
}
