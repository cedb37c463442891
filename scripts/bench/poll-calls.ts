import { setTimeout as pause } from 'node:timers/promises'
import type { Progress } from '../../src/contract/albums.ts'
import { processorMsOf } from '../../src/processes/process-figures.ts'
import { createRestClient } from '../rest-client.ts'
import { distinctPhotos, smallPictures } from './photos.ts'
import { poll } from './polling.ts'
import { type Comparison, figure, printComparisons } from './report.ts'
import { type ServerProcess, startBareServer, startService } from './server-process.ts'
import { createAlbum, type Destination, uploadPhotos } from './uploading.ts'

const CONNECTIONS = [1, 50, 500]
const WARM_UP_SECONDS = 1
const SECONDS = 3
const PHOTOS = 15

interface Run {
  perSecond: number
  /** Milliseconds. */
  p99: number
  /** The server's processor time for an answer, in ms, without the database's. */
  processor: number
}

/** Measures how fast the server answers the four calls that pages repeat. */
export async function benchPolling(): Promise<void> {
  const service = await startService({ indexing: true })
  const bare = await startBareServer()
  const pictures = smallPictures()
  const album = await createAlbum(service.url, PHOTOS)
  await uploadPhotos(album, distinctPhotos(pictures, PHOTOS))
  await untilIndexed(album)

  const paths = {
    progress: `/api/albums/${album.ownerKey}/progress`,
    'auth-status': '/api/albums/auth-status/bench',
    list: '/api/albums/list',
    results: `/api/results/${await submitSelfie(album, pictures[0]!)}`,
  }
  for (const connections of CONNECTIONS) {
    const yardstick = await measure(bare, paths.progress, connections)
    const comparisons: Comparison[] = []
    for (const [name, path] of Object.entries(paths)) {
      const own = await measure(service, path, connections)
      const add = (what: string, key: keyof Run, unit: string) =>
        comparisons.push({
          what,
          measured: own[key],
          yardstick: yardstick[key],
          show: (n) => `${figure(n)}${unit}`,
        })
      add(name, 'perSecond', '/s')
      add('    99% of them within', 'p99', ' ms')
      add('    processor time of each', 'processor', ' ms')
    }
    const title = connections === 1 ? 'Polling on 1 connection' : `Polling on ${connections} connections`
    printComparisons([title, 'Inframe', 'bare Fastify'], comparisons)
    console.log()
  }
}

async function measure({ url, pid }: ServerProcess, path: string, connections: number): Promise<Run> {
  await poll(url + path, connections, WARM_UP_SECONDS)
  const before = processorMsOf(pid)
  const run = await poll(url + path, connections, SECONDS)
  return { ...run, processor: (processorMsOf(pid) - before) / (run.perSecond * SECONDS) }
}

async function untilIndexed({ url, ownerKey }: Destination): Promise<void> {
  const client = createRestClient(url)
  while (!(await client.get<Progress>(`/api/albums/${ownerKey}/progress`)).isCompleted) await pause(200)
}

/** @returns the submission's id. */
async function submitSelfie({ url, ownerKey }: Destination, selfie: Buffer): Promise<string> {
  const form = new FormData()
  form.append('photo', new Blob([new Uint8Array(selfie)]), 'selfie.jpg')
  form.append('source', 'homepage')
  form.append('userAlbumId', ownerKey)
  const { redirectTo } = await createRestClient(url).post<{ redirectTo: string }>('/api/submit-photo', form)
  return redirectTo.split('/').at(-1)!
}
