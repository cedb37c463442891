import { execFile } from 'node:child_process'
import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createClient, sampleUploads } from '../testing/client.ts'
import { createDataFolder, type DataFolder } from '../testing/data-folder.ts'
import { freePort, type ServiceProcess, startService } from '../testing/process.ts'
import { waitUntil } from '../testing/wait.ts'

const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to])

let folder: DataFolder
let service: ServiceProcess

beforeAll(async () => {
  folder = await createDataFolder()
})
afterEach(stop)
afterAll(() => folder.remove())

async function start(): Promise<string> {
  service = await startService({
    DATA_DIR: folder.path,
    PORT: String(await freePort()),
    FACE_WORKERS: '1',
  })
  return service.url
}

async function stop(): Promise<void> {
  service.child.kill('SIGTERM')
  await service.ended
}

/** The folders that docs/operating.md names: the data, and the database if `data/postgres` is a link to it. */
async function placesOfData(): Promise<string[]> {
  const database = await realpath(join(folder.path, 'postgres'))
  return database === join(folder.path, 'postgres') ? [folder.path] : [folder.path, database]
}

test('what docs/operating.md copies while Inframe is stopped brings an album and its photos back', async () => {
  const url = await start()
  const owner = createClient(url)
  const { ownerKey, albumName } = await owner.createAlbum('Kept')
  await owner.uploadPhotos(ownerKey, await sampleUploads([1]), { totalIntendedPhotos: 1 })
  await owner.post(`/api/albums/${ownerKey}/settings`, { browsing: 'on' })
  await waitUntil('the photo to be indexed', async () => {
    const { body } = await owner.get(`/api/albums/${ownerKey}/progress`)
    return body.photosIndexedToRekognition === 1
  })
  const { albumPassword } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  await stop()

  const places = await placesOfData()
  for (const place of places) await copy(place, `${place}.backup`)
  for (const place of places) await rm(place, { recursive: true })
  for (const place of places) {
    await copy(`${place}.backup`, place)
    await rm(`${place}.backup`, { recursive: true })
  }

  const guest = createClient(await start())
  const entered = await guest.post(`/api/albums/${albumName}/authenticate`, { password: albumPassword })
  expect(entered.status).toBe(200)
  const [restored] = (await guest.get(`/api/albums/${albumName}/photos`)).body.photos
  const download = await fetch(restored.downloadUrl)
  expect([download.status, download.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
})
