import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sendErasure } from '../albums/erase.ts'
import {
  albumName,
  createAlbumForEachTest,
  owner,
  ownerKey,
  service,
} from '../testing/album-for-each-test.ts'
import { createClient, readSample, sampleUploads, type TestClient } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { waitUntil } from '../testing/wait.ts'

createAlbumForEachTest({})

const albumOf = async (client: TestClient) =>
  (await client.get(`/api/albums/by-name/${albumName}`)).body.album

async function uploadAndIndex(): Promise<void> {
  const notes = { name: 'notes.jpg', bytes: Buffer.from('no photo') }
  await owner.uploadPhotos(ownerKey, [notes, ...(await sampleUploads([1, 2]))], { totalIntendedPhotos: 2 })
  await waitUntil('completion', async () => {
    return (await owner.get(`/api/albums/${ownerKey}/progress`)).body.isCompleted
  })
}

async function enter(password: string): Promise<TestClient> {
  const guest = createClient(service.url)
  const { status } = await guest.post(`/api/albums/${albumName}/authenticate`, { password })
  expect(status).toBe(200)
  return guest
}

describe('a new password', () => {
  test("ends the guests' sessions and photo links at once, and not the owner's session", async () => {
    await uploadAndIndex()
    const { albumPassword: former } = await albumOf(owner)
    const guest = await enter(former)
    const { body: found } = await guest.search(albumName, await readSample(1))
    expect((await fetch(found.photos[0].url)).status).toBe(200)

    const { status, body } = await owner.post(`/api/albums/${ownerKey}/password`, {})
    expect(status).toBe(200)
    expect(body.albumPassword).not.toBe(former)
    expect((await fetch(found.photos[0].url)).status).toBe(403)
    expect((await guest.search(albumName, await readSample(1))).status).toBe(401)
    const again = await createClient(service.url).post(`/api/albums/${albumName}/authenticate`, {
      password: former,
    })
    expect(again.status).toBe(401)
    expect((await albumOf(owner)).albumPassword).toBe(body.albumPassword)
    await enter(body.albumPassword)
  })
})

describe('deleting a photo', () => {
  test('ends its addresses, its zips and its places in searches at once, and then its files and faces', async () => {
    await uploadAndIndex()
    const { id, albumPassword } = await albumOf(owner)
    const guest = await enter(albumPassword)
    const selfie = await readSample(1)
    const { photos } = (await guest.search(albumName, selfie)).body
    const all = (await owner.get(`/api/albums/${albumName}/photos`)).body.photos.map(
      ({ url }: { url: string }) => url,
    )
    const { parts } = (await guest.post('/api/zips', { photos: all })).body
    const photoId = photos[0].url.split('/photos/')[1].split('/')[0]
    const remove = () => owner.post(`/api/albums/${id}/photos/delete`, { photoIds: [photoId] })
    expect((await remove()).body).toEqual({ photosDeleted: 1 })
    expect((await fetch(photos[0].thumbUrl)).status).toBe(404)
    expect((await fetch(parts[0].url)).status).toBe(404)
    expect((await guest.post('/api/zips', { photos: all })).body).toMatchObject({
      photosTotal: 1,
      photosLeftOut: 1,
    })
    expect((await guest.search(albumName, selfie)).body).toMatchObject({ photos: [], possible: [] })
    expect((await owner.get(`/api/albums/${albumName}/photos`)).body).toMatchObject({ totalPhotos: 1 })
    expect((await owner.get(`/api/albums/${ownerKey}/coverage`)).body).toMatchObject({
      photosStored: 1,
      photosSearchable: 1,
    })
    expect((await remove()).body).toEqual({ photosDeleted: 0 })
    const { faces } = service.context
    const { facesFound } = (await owner.get(`/api/albums/${ownerKey}/coverage`)).body
    await waitUntil('its faces to be gone', async () => (await faces.countFaces(id)) === facesFound)
    expect(await readdir(join(service.dataDir, 'files', 'albums', id))).toHaveLength(1)
    const again = await owner.uploadPhotos(ownerKey, [{ name: 'sample1.jpg', bytes: selfie }])
    expect(again.body.files[0].status).toBe('stored')
  })
})

describe('erasing an album', () => {
  test('removes rows, files and faces, and says that nothing remains', async () => {
    await uploadAndIndex()
    const { id, albumPassword } = await albumOf(owner)
    const guest = await enter(albumPassword)
    const { body: found } = await guest.search(albumName, await readSample(1))
    const files = () => readdir(join(service.dataDir, 'files', 'albums', id), { recursive: true })
    expect((await files()).length).toBeGreaterThan(4)

    const response = await fetch(`${service.url}/api/albums/${ownerKey}`, { method: 'DELETE' })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 })
    await expect(files()).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await service.context.faces.countFaces(id)).toBe(0)
    expect((await fetch(found.photos[0].url)).status).toBe(404)
    expectError(await guest.search(albumName, await readSample(1)), 404, /^Album not found$/)
    expect((await createClient(service.url).search(albumName, await readSample(1))).status).toBe(401)
    expect((await guest.get(`/api/albums/auth-status/${albumName}`)).body.albumExists).toBe(false)
    expect((await owner.get('/api/albums/list')).body).not.toContainEqual(
      expect.objectContaining({ albumName }),
    )
    expect((await owner.uploadPhotos(ownerKey, await sampleUploads([1]))).status).toBe(404)
  })

  test('can be asked for again by its owner, and by nobody else', async () => {
    const { id, albumPassword } = await albumOf(owner)
    const guest = await enter(albumPassword)
    const stranger = createClient(service.url)
    const nothing = { status: 200, body: { rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 } }
    expect(await owner.delete(`/api/albums/${id}`)).toMatchObject(nothing)
    expect(await owner.delete(`/api/albums/${id}`)).toMatchObject(nothing)
    expect(await stranger.delete(`/api/albums/${ownerKey}`)).toMatchObject(nothing)
    for (const client of [guest, stranger])
      expectError(await client.delete(`/api/albums/${id}`), 404, /^Album not found$/)
  })

  test('is finished by a job when its process ended too early', async () => {
    await uploadAndIndex()
    const { id } = await albumOf(owner)
    const { context } = service
    const spy = context.jobs.boss.getSpy<{ albumId: string }>('erase-album')
    await context.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('albums').where('id', '=', id).execute()
      await sendErasure(context, trx, { albumId: id, engines: [], letters: [] })
    })
    await spy.waitForJob((data) => data.albumId === id, 'completed')
    expect(await context.storage.count(`albums/${id}/`)).toBe(0)
    const waiting = await context.jobs.boss.findJobs('erase-album', { data: { albumId: id }, queued: true })
    expect(waiting).toHaveLength(1)
  })
})

describe('a page of another website', () => {
  const create = (headers: Record<string, string>) =>
    fetch(`${service.url}/api/user-albums`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email: 'owner@example.com', albumName: 'Party' }),
    })

  test('cannot make a browser change anything', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1'])
      expect((await create({ origin })).status).toBe(403)
    const erase = await fetch(`${service.url}/api/albums/${ownerKey}`, {
      method: 'DELETE',
      headers: { origin: 'https://evil.example' },
    })
    expect(erase.status).toBe(403)
    const trpc = await fetch(`${service.url}/trpc/albums.create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
      body: '{}',
    })
    expect(trpc.status).toBe(403)
  })

  test('is the only caller that is refused: our pages and other clients are not', async () => {
    expect((await create({ origin: service.url })).status).toBe(200)
    expect((await create({})).status).toBe(200)
  })
})
