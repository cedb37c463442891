import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDb } from '../database/client.ts'
import { findEmbeddedPostgres } from '../database/embedded.ts'
import { processesOn } from '../database/postgres-leftovers.ts'
import { killAll } from '../testing/child-processes.ts'
import { createClient, sampleUploads } from '../testing/client.ts'
import { createDataFolder, type DataFolder } from '../testing/data-folder.ts'
import { fillAlbum } from '../testing/filled-album.ts'
import { freePort, type ServiceProcess, startService } from '../testing/process.ts'
import { waitUntil } from '../testing/wait.ts'

const PHOTOS = 3_000

let folder: DataFolder
let env: Record<string, string>
let service: ServiceProcess | undefined

beforeAll(async () => {
  folder = await createDataFolder()
  env = { DATA_DIR: folder.path, PORT: String(await freePort()), FACE_WORKERS: '1' }
})
afterAll(async () => {
  service?.child.kill('SIGTERM')
  await service?.ended
  await folder.remove()
})

/** Gives an album rows and files as a large upload leaves them. */
async function fill(albumId: string): Promise<void> {
  const db = createDb((await findEmbeddedPostgres(folder.path))!, () => {})
  try {
    await fillAlbum(db, albumId, { photos: PHOTOS, faces: 2 })
  } finally {
    await db.destroy()
  }
  for (let photo = 0; photo < PHOTOS; photo++) {
    const place = join(folder.path, 'files/albums', albumId, String(photo))
    await mkdir(place, { recursive: true })
    for (const size of ['original', 'thumb']) await writeFile(join(place, size), 'x')
  }
}

/** How many photos of erased albums still have a folder. */
async function photosLeft(): Promise<number> {
  const erased = join(folder.path, 'files/.erased')
  const albums = await readdir(erased)
  const photos = await Promise.all(albums.map((album) => readdir(join(erased, album)).catch(() => [])))
  return photos.flat().length
}

test('a service that is killed while it erases a large album continues when it starts again', async () => {
  service = await startService(env)
  const owner = createClient(service.url)
  const { ownerKey, albumName } = await owner.createAlbum('Large')
  const { album } = (await owner.get(`/api/albums/by-name/${albumName}`)).body
  await fill(album.id)

  const { status, body } = await owner.delete(`/api/albums/${ownerKey}`)
  expect({ status, files: body.filesRemaining }).toEqual({ status: 200, files: PHOTOS })
  expect((await owner.get(`/api/albums/${ownerKey}/progress`)).status).toBe(404)
  expect((await owner.uploadPhotos(ownerKey, await sampleUploads([1]))).status).toBe(404)
  expect((await owner.get(`/api/albums/auth-status/${albumName}`)).body.albumExists).toBe(false)
  expect(await readdir(join(folder.path, 'files/albums')).catch(() => [])).not.toContain(album.id)
  // Nobody gets its name for 30 days.
  expect((await owner.createAlbum('Large')).albumName).not.toBe(albumName)

  await waitUntil('some files to be deleted', async () => (await photosLeft()) < PHOTOS)
  killAll([service.child.pid!, ...(await processesOn(await folder.cluster()))])
  await service.ended
  expect(await photosLeft()).toBeGreaterThan(0)

  service = await startService(env)
  const again = createClient(service.url)
  const answer = await waitUntil(
    'the receipt',
    async () => {
      const { status, body } = await again.delete(`/api/albums/${ownerKey}`)
      expect(status).toBe(200)
      return body.filesRemaining === 0 && body
    },
    180_000,
  )
  expect(answer).toEqual({ rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 })
  expect(await photosLeft()).toBe(0)
}, 400_000)
