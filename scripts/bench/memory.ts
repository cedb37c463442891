import { setTimeout as pause } from 'node:timers/promises'
import { forgetPeakOf, memoryOf } from './peak-memory.ts'
import { cameraPictures, distinctPhotos } from './photos.ts'
import { printTable } from './report.ts'
import { type ServerProcess, startBareServer, startService } from './server-process.ts'
import { createAlbum, type Destination, untilIndexed, uploadPhotos } from './uploading.ts'

const PHOTOS = 1000
const PHOTOS_TO_INDEX = 100
const CLIENTS = 2
const AT_REST_MS = 5_000

/** Measures a server's memory while two clients upload photos of 12 megapixels and 1.6 MB each. */
export async function benchMemory(): Promise<void> {
  const pictures = await cameraPictures()
  const rows = [
    [
      `Inframe, ${PHOTOS} photos`,
      ...(await watch(await startService({ indexing: false }), pictures, PHOTOS)),
    ],
    [`bare Fastify, ${PHOTOS} photos`, ...(await watch(await startBareServer(), pictures, PHOTOS))],
    [
      `Inframe with indexing, ${PHOTOS_TO_INDEX} photos`,
      ...(await watch(await startService({ indexing: true }), pictures, PHOTOS_TO_INDEX, (album) =>
        untilIndexed(album, PHOTOS_TO_INDEX),
      )),
    ],
  ]
  const header = ['Resident memory in MB', 'idle', 'at ¼', 'at ½', 'at ¾', 'all sent', 'at rest', 'peak']
  printTable(header, rows)
}

async function watch(
  server: ServerProcess,
  pictures: Buffer[],
  count: number,
  untilDone?: (album: Destination) => Promise<void>,
): Promise<string[]> {
  const album = await createAlbum(server.url, count)
  forgetPeakOf(server.pid)
  const seen = [memoryOf(server.pid).now]
  for (let quarter = 0; quarter < 4; quarter++) {
    await uploadPhotos(album, distinctPhotos(pictures, count / 4), CLIENTS)
    seen.push(memoryOf(server.pid).now)
  }
  await untilDone?.(album)
  await pause(AT_REST_MS)
  const atRest = memoryOf(server.pid)
  seen.push(atRest.now, atRest.peak)
  await server.stop()
  return seen.map(String)
}
