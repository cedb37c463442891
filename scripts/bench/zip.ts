/** Measures how fast a guest's photos are sent as a zip. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ZipOutput } from '../../src/contract/zips.ts'
import { createDb } from '../../src/database/client.ts'
import { createKeyring } from '../../src/keyring.ts'
import { createPhotoLinks } from '../../src/photos/links.ts'
import { createRestClient } from '../rest-client.ts'
import { cameraPictures, distinctPhotos } from './photos.ts'
import { figure, printTable } from './report.ts'
import { makeDataFolder, sharedParts, startFileStream, startInRole } from './server-process.ts'
import { createAlbum, uploadPhotos } from './uploading.ts'

const PHOTOS = 120
const DOWNLOADS = 9
/** Of the bare stream. */
const AIM = 0.7

/** Downloads a zip of photos of a camera. The yardstick is a bare stream of the same files, and both take turns. */
export async function benchZip(): Promise<void> {
  const folder = await makeDataFolder()
  const env = await sharedParts(folder)
  const { url } = await startInRole('web', env)
  const album = await createAlbum(url, PHOTOS)
  await uploadPhotos(album, distinctPhotos(await cameraPictures(), PHOTOS))
  const zip = await prepareZip(url, await addressesOfAll(env.DATABASE_URL!, env.SECRET_KEY!))
  const bare = await startFileStream(join(folder, 'files'))

  const zips: number[] = []
  const streams: number[] = []
  for (let download = 0; download < DOWNLOADS; download++) {
    zips.push(await rateOf(zip.url, zip.bytes))
    streams.push(await rateOf(bare.url))
  }
  const [measured, yardstick] = [middle(zips), middle(streams)]
  console.log(
    `A zip of ${zip.photos} photos, ${figure(zip.bytes / 1e6)} MB; medians of ${DOWNLOADS} downloads by one client`,
  )
  printTable(
    ['', 'zip', 'bare stream of the same files', 'ratio', 'aim', ''],
    [
      [
        'MB a second',
        figure(measured),
        figure(yardstick),
        figure(measured / yardstick),
        String(AIM),
        measured / yardstick >= AIM ? 'met' : 'MISSED',
      ],
    ],
  )
}

async function addressesOfAll(connectionString: string, secret: string): Promise<string[]> {
  const links = createPhotoLinks({ keyring: createKeyring([secret]) })
  const db = createDb({ connectionString }, () => {})
  try {
    const photos = await db.selectFrom('photos').select('id').execute()
    return photos.map(({ id }) => links.sign(id, 1).downloadUrl)
  } finally {
    await db.destroy()
  }
}

/** The first time, the photos are made upright and freed of metadata. That is not measured here. */
async function prepareZip(url: string, photos: string[]) {
  for (;;) {
    const { parts } = await createRestClient(url).post<ZipOutput>('/api/zips', { photos })
    if (parts[0]) return { ...parts[0], url: new URL(new URL(parts[0].url).pathname, url).href }
    await pause(200)
  }
}

/** Downloads and forgets. @returns MB a second
 *  @param bytes what must come */
async function rateOf(url: string, bytes?: number): Promise<number> {
  const start = performance.now()
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage]
  let received = 0
  response.on('data', (chunk: Buffer) => {
    received += chunk.length
  })
  await once(response, 'end')
  if (response.statusCode !== 200 || received < (bytes ?? 1))
    throw new Error(`A download ended with ${response.statusCode} after ${received} bytes`)
  return received / 1e6 / ((performance.now() - start) / 1_000)
}

function middle(rates: number[]): number {
  return rates.toSorted((one, other) => one - other)[Math.floor(rates.length / 2)]!
}
