import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, readSample, type TestClient } from '../testing/client.ts'
import { waitUntil } from '../testing/wait.ts'

let service: TestApp
let owner: TestClient
let album: { ownerKey: string; albumName: string }

/** Looks like "invoiceexe.jpg". */
const DISGUISED = 'invoice\u202egpj.exe'

beforeAll(async () => {
  service = await startTestApp()
  owner = createClient(service.url)
  album = await owner.createAlbum('Names')
  const photo = { name: DISGUISED, bytes: await readSample(1) }
  const { body } = await owner.uploadPhotos(album.ownerKey, [photo], { totalIntendedPhotos: 1 })
  expect(body.files).toEqual([{ filename: 'invoicegpj.exe', status: 'stored' }])
  await waitUntil('completion', async () => {
    return (await owner.get(`/api/albums/${album.ownerKey}/progress`)).body.isCompleted
  })
})
afterAll(() => service?.close())

async function dispositionOf(address: string): Promise<string | null> {
  const response = await fetch(address)
  await response.body?.cancel()
  expect(response.status).toBe(200)
  return response.headers.get('content-disposition')
}

test('a photo that was named like a program is saved as a picture', async () => {
  const [photo] = (await owner.search(album.albumName, await readSample(1))).body.photos
  expect(photo.filename).toBe('invoicegpj.jpg')
  expect(await dispositionOf(photo.downloadUrl)).toBe('attachment; filename=invoicegpj.jpg')
  expect(await dispositionOf(photo.url)).toBe('inline; filename=invoicegpj.jpg')
  expect(await dispositionOf(photo.thumbUrl)).toBe('inline; filename=invoicegpj.webp')
})

test('HEAD says the same of a photo, and its file is not read', async () => {
  const [{ downloadUrl }] = (await owner.search(album.albumName, await readSample(1))).body.photos
  const { byteLength } = await (await fetch(downloadUrl)).arrayBuffer()
  const { storage } = service.context
  const { open } = storage
  const opened: Readable[] = []
  storage.open = async (key) => {
    const file = await open(key)
    opened.push(file.stream)
    return file
  }
  const head = await fetch(downloadUrl, { method: 'HEAD' })
  storage.open = open
  expect(opened.map(({ destroyed, readableDidRead }) => ({ destroyed, readableDidRead }))).toEqual([
    { destroyed: true, readableDidRead: false },
  ])
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(byteLength)])
})

test('so is one in the results of a submitted selfie', async () => {
  const { body } = await owner.submitSelfie(await readSample(1), { userAlbumId: album.ownerKey })
  const id = body.redirectTo.split('/').at(-1)
  const results = async () => (await owner.get(`/api/results/${id}`)).body
  await waitUntil('the results', async () => (await results()).processed)
  expect((await results()).photos[0].filename).toBe('invoicegpj.jpg')
  expect((await owner.get(`/api/photos/${id}`)).body.photos[0].filename).toBe('invoicegpj.jpg')
})
