import { createRestClient } from '../rest-client.ts'
import { distinctPhotos, smallPictures, uploadPhotos } from './photos.ts'
import { type PollingRun, poll } from './polling.ts'
import { type Comparison, figure, printComparisons } from './report.ts'
import { startBareServer, startService } from './server-process.ts'

const CONNECTIONS = [1, 50]
const WARM_UP_SECONDS = 1.5
const SECONDS = 5

/** How many pages may poll an album's progress while it is being uploaded. */
export async function benchProgress(): Promise<void> {
  const service = await startService({ indexing: false })
  const bare = await startBareServer()
  const { userAlbum } = await createRestClient(service.url).post<{ userAlbum: { id: string } }>(
    '/api/user-albums',
    { email: 'bench@example.com', albumName: 'Progress' },
  )
  await uploadPhotos(service.url, userAlbum.id, distinctPhotos(smallPictures(), 15), 1)
  const path = `/api/albums/${userAlbum.id}/progress`

  const comparisons: Comparison[] = []
  for (const connections of CONNECTIONS) {
    const [own, yardstick] = [await run(service.url + path), await run(bare.url + path)]
    const what = `${connections} ${connections === 1 ? 'connection' : 'connections'}`
    comparisons.push(
      { what: `${what}: answers`, ...pick(own, yardstick, 'perSecond'), show: (n) => `${figure(n)}/s` },
      { what: `${what}: 99% within`, ...pick(own, yardstick, 'p99'), show: (n) => `${figure(n)} ms` },
    )

    async function run(address: string): Promise<PollingRun> {
      await poll(address, connections, WARM_UP_SECONDS)
      return await poll(address, connections, SECONDS)
    }
  }
  printComparisons(['Polling the progress of an album', 'Inframe', 'bare Fastify'], comparisons)
}

function pick(own: PollingRun, yardstick: PollingRun, key: keyof PollingRun) {
  return { measured: own[key], yardstick: yardstick[key] }
}
