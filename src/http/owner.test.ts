import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { guestOf, uploadAll } from '../testing/app-of-file.ts'
import { createClient, readSample, sampleUploads } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { albumId, albumName, createAlbumForEachTest, owner, ownerKey, service } from '../testing/own-album.ts'

createAlbumForEachTest({})

const uploadAndIndex = async () => uploadAll(owner, ownerKey, await sampleUploads([1, 2]))

describe('erasing an album', () => {
  test('removes rows, files and faces, and says that nothing remains', async () => {
    await uploadAndIndex()
    const guest = await guestOf(service, owner, albumName)
    const { body: found } = await guest.search(albumName, await readSample(1))
    const files = () => readdir(join(service.dataDir, 'files', 'albums', albumId), { recursive: true })
    expect((await files()).length).toBeGreaterThan(4)

    const response = await fetch(`${service.url}/api/albums/${ownerKey}`, { method: 'DELETE' })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 })
    await expect(files()).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await service.context.faces.countFaces(albumId)).toBe(0)
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
    const guest = await guestOf(service, owner, albumName)
    const stranger = createClient(service.url)
    const nothing = { status: 200, body: { rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 } }
    expect(await owner.delete(`/api/albums/${albumId}`)).toMatchObject(nothing)
    expect(await owner.delete(`/api/albums/${albumId}`)).toMatchObject(nothing)
    expect(await stranger.delete(`/api/albums/${ownerKey}`)).toMatchObject(nothing)
    for (const client of [guest, stranger])
      expectError(await client.delete(`/api/albums/${albumId}`), 404, /^Album not found$/)
  })
})
