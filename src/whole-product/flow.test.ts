import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient, readSample, sampleUploads } from '../testing/client.ts'
import { exifFields, onlyTakenAt } from '../testing/exif-fields.ts'
import { selfieFrom } from '../testing/selfie.ts'
import { waitUntil } from '../testing/wait.ts'

const service = await appOfFile()

const selfieFromSample1 = async () => selfieFrom(service.database.db, 'sample1.jpg', await readSample(1))

describe('an owner and a guest, over real HTTP with real photos', () => {
  const owner = createClient(service.url)
  let ownerKey: string
  let albumName: string
  let password: string

  test('the owner creates an album and uploads photos, and it is indexed until it is complete', async () => {
    ;({ ownerKey, albumName } = await owner.createAlbum('My Summer Wedding, 2025'))
    expect(albumName).toBe('my-summer-wedding-2025')

    const uploads = await sampleUploads()
    const first = await owner.uploadPhotos(ownerKey, uploads.slice(0, 3), {
      totalIntendedPhotos: 6,
      batchNumber: 1,
      totalBatches: 2,
    })
    expect(first).toMatchObject({ status: 200, body: { successful: 3, failed: 0 } })
    const halfway = await owner.get(`/api/albums/${ownerKey}/progress`)
    expect(halfway.body).toMatchObject({ totalPhotos: 6, photosUploadedToS3: 3, isUploadingToS3: true })

    // Indexing does not wait for the end of the upload.
    await waitUntil('indexing during the upload', async () => {
      const { body } = await owner.get(`/api/albums/${ownerKey}/progress`)
      return body.photosIndexedToRekognition === 3 && body.isCompleted === false
    })

    await owner.uploadPhotos(ownerKey, uploads.slice(3), { totalIntendedPhotos: 6 })
    const done = await waitUntil('completion', async () => {
      const { body } = await owner.get(`/api/albums/${ownerKey}/progress`)
      return body.isCompleted && body
    })
    const all = { totalPhotos: 6, photosUploadedToS3: 6, photosIndexedToRekognition: 6 }
    expect(done).toMatchObject({ ...all, isUploadingToS3: false, isIndexingToRekognition: false })
    const album = await service.database.db.selectFrom('albums').selectAll().executeTakeFirstOrThrow()
    expect(album.faces_found).toBe(22)
  })

  test('the owner reads the password, and gets one letter with link and password', async () => {
    const { body } = await owner.get(`/api/albums/by-name/${albumName}`)
    expect(body.album).toMatchObject({ displayName: 'My Summer Wedding, 2025', albumName, isOwner: true })
    password = body.album.albumPassword
    const outbox = join(service.dataDir, 'outbox')
    const letters = await waitUntil('the letter', async () => {
      const names = (await readdir(outbox)).filter((name) => name.endsWith('.eml'))
      return names.length > 0 && names
    })
    expect(letters).toHaveLength(1)
    const letter = await readFile(join(outbox, letters[0]!), 'utf8')
    expect(letter).toContain('To: owner@example.com')
    expect(letter).toContain(`${service.url}/album/${albumName}`)
    expect(letter).toContain(password)
  })

  test('a guest enters only with the password, and then sees the album', async () => {
    const guest = createClient(service.url)
    const before = await guest.get(`/api/albums/auth-status/${albumName}`)
    expect(before.body).toEqual({
      albumExists: true,
      isAuthenticated: false,
      displayName: 'My Summer Wedding, 2025',
      opensAt: null,
      isClosed: false,
    })
    expect((await guest.get(`/api/albums/by-name/${albumName}`)).status).toBe(401)
    const wrong = await guest.post(`/api/albums/${albumName}/authenticate`, { password: 'guess' })
    expect(wrong).toMatchObject({ status: 401, body: { error: 'Invalid password' } })

    const right = await guest.post(`/api/albums/${albumName}/authenticate`, {
      password: password.toUpperCase().replaceAll('-', ' '),
    })
    expect(right).toMatchObject({ status: 200, body: { album: { albumName } } })
    const status = await guest.get(`/api/albums/auth-status/${albumName}`)
    expect(status.body.isAuthenticated).toBe(true)
    const { body } = await guest.get(`/api/albums/by-name/${albumName}`)
    expect(body.album.isOwner).toBe(false)
    expect((await guest.get(`/api/albums/${body.album.id}/progress`)).body.isCompleted).toBe(true)
  })

  test('a selfie finds the photo it was cropped from, upright, with no metadata but its time', async () => {
    const guest = createClient(service.url)
    await guest.post(`/api/albums/${albumName}/authenticate`, { password })
    const { status, body } = await guest.search(albumName, await selfieFromSample1())
    expect(status).toBe(200)
    expect(body.photos[0].filename).toBe('sample1.jpg')
    expect(body.photos[0].similarity).toBeGreaterThan(95)
    expect(body.photos.length).toBeLessThan(6)
    expect(body.matchedPhotos).toEqual(body.photos.map((photo: { url: string }) => photo.url))

    const [photo] = body.photos
    const full = await fetch(photo.url)
    const bytes = Buffer.from(await full.arrayBuffer())
    const metadata = await sharp(bytes).metadata()
    expect(metadata).toMatchObject({ format: 'jpeg', width: photo.width, height: photo.height })
    expect([photo.width, photo.height]).toEqual([1920, 1280])
    const onlyItsTime = onlyTakenAt('2017:10:31 20:16:18')
    expect(await exifFields(bytes)).toEqual(onlyItsTime)
    const preview = await fetch(photo.previewUrl)
    expect(preview.headers.get('content-type')).toBe('image/jpeg')
    const shared = Buffer.from(await preview.arrayBuffer())
    expect((await sharp(shared).metadata()).width).toBe(1920)
    expect(await exifFields(shared)).toEqual(onlyItsTime)
    const thumb = await fetch(photo.thumbUrl)
    expect((await sharp(Buffer.from(await thumb.arrayBuffer())).metadata()).width).toBeLessThan(1000)
    const download = await fetch(photo.downloadUrl)
    expect(download.headers.get('content-disposition')).toBe('attachment; filename=sample1.jpg')
    await download.body?.cancel()
  })

  test('a search in an album without indexed photos finds nothing, and is not an error', async () => {
    const client = createClient(service.url)
    const { albumName: empty } = await client.createAlbum('Nothing yet')
    const { status, body } = await client.search(empty, await readSample(2))
    expect(status).toBe(200)
    expect(body).toMatchObject({ matchedPhotos: [], photos: [], totalMatches: 0, possible: [] })
  })

  test('none of this has logged a warning', () => {
    expect(service.logged).toEqual([])
  })
})
