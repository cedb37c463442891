import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ListMultipartUploadsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { S3Settings } from '../storage/s3-client.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createBucket, plainS3 } from '../testing/bucket.ts'
import { createClient, readSample, sampleUploads, type TestClient } from '../testing/client.ts'
import { exifFields, onlyTakenAt } from '../testing/exif-fields.ts'
import { expectError } from '../testing/expect-error.ts'
import { type FaultProxy, startFaultProxy } from '../testing/fault-proxy.ts'
import { selfieFrom } from '../testing/selfie.ts'
import { waitUntil } from '../testing/wait.ts'

let settings: S3Settings
let proxy: FaultProxy
let plain: S3Client
let service: TestApp
let owner: TestClient
let ownerKey: string
let albumName: string

beforeAll(async () => {
  settings = await createBucket()
  plain = plainS3()
  proxy = await startFaultProxy(settings.endpoint!)
  const env = { S3_BUCKET: settings.bucket, S3_ENDPOINT: proxy.url, S3_FORCE_PATH_STYLE: 'true' }
  service = await startTestApp({ env })
})
afterAll(async () => {
  await service?.close()
  await proxy.close()
  plain.destroy()
})
beforeEach(async () => {
  proxy.fault = () => undefined
  owner = createClient(service.url)
  ;({ ownerKey, albumName } = await owner.createAlbum())
})

const albumId = async () => (await owner.get(`/api/albums/by-name/${albumName}`)).body.album.id as string

/** The keys of an album's files in the bucket. */
async function stored(album: string): Promise<string[]> {
  const Prefix = `albums/${album}/`
  const { Contents = [] } = await plain.send(new ListObjectsV2Command({ Bucket: settings.bucket, Prefix }))
  return Contents.map(({ Key }) => Key!.slice(Prefix.length))
}

async function completed(): Promise<void> {
  const isCompleted = async () => (await owner.get(`/api/albums/${ownerKey}/progress`)).body.isCompleted
  await waitUntil('completion', isCompleted, 100_000)
}

async function countLetters(): Promise<number> {
  const names = await readdir(join(service.dataDir, 'outbox'))
  return names.filter((name) => name.endsWith('.eml')).length
}

describe('an owner and a guest, with photos on S3', () => {
  test('upload, find, download from the bucket, and erase all of it', async () => {
    const [first, ...others] = await sampleUploads()
    const photos = [{ ...first!, name: 'Fête – 花.jpg' }, ...others]
    const upload = await owner.uploadPhotos(ownerKey, photos, { totalIntendedPhotos: 6 })
    expect(upload).toMatchObject({ status: 200, body: { successful: 6, failed: 0 } })
    await completed()
    const album = await albumId()
    // Six originals, thumbnails and previews.
    expect(await stored(album)).toHaveLength(18)
    expect(await readdir(join(service.dataDir, 'staging'))).toEqual([])
    expect(await readdir(service.dataDir)).not.toContain('files')

    const { body } = await owner.get(`/api/albums/by-name/${albumName}`)
    const guest = createClient(service.url)
    await guest.post(`/api/albums/${albumName}/authenticate`, { password: body.album.albumPassword })
    const selfie = await selfieFrom(service.database.db, 'Fête – 花.jpg', await readSample(1))
    const found = await guest.search(albumName, selfie)
    const [photo] = found.body.photos
    expect(photo.filename).toBe('Fête – 花.jpg')

    const redirect = await fetch(photo.downloadUrl, { redirect: 'manual' })
    expect([redirect.status, service.logged]).toEqual([302, []])
    expect(redirect.headers.get('cache-control')).toBe('no-store')
    const address = redirect.headers.get('location')!
    expect(new URL(address).origin).toBe(proxy.url)
    const download = await fetch(address)
    expect(download.headers.get('content-type')).toBe('image/jpeg')
    expect(download.headers.get('content-disposition')).toMatch(
      /^attachment; .*filename\*=UTF-8''F%C3%AAte%20%E2%80%93%20%E8%8A%B1\.jpg$/,
    )
    const bytes = Buffer.from(await download.arrayBuffer())
    const metadata = await sharp(bytes).metadata()
    expect(metadata).toMatchObject({ format: 'jpeg', width: 1920, height: 1280 })
    expect(await exifFields(bytes)).toEqual(onlyTakenAt('2017:10:31 20:16:18'))
    // A script of the page, which hands the photo to a share sheet, cannot read the bucket.
    const script = await fetch(photo.url, { redirect: 'manual', headers: { 'sec-fetch-dest': 'empty' } })
    expect(script.status).toBe(200)
    expect(Buffer.from(await script.arrayBuffer())).toHaveLength(metadata.size!)
    const saved = await fetch(photo.previewUrl, {
      redirect: 'manual',
      headers: { 'sec-fetch-dest': 'empty' },
    })
    expect([saved.status, saved.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const shown = await fetch(photo.url)
    expect(shown.headers.get('content-disposition')).toMatch(/^inline/)
    expect(Buffer.from(await shown.arrayBuffer())).toHaveLength(metadata.size!)
    const thumb = await fetch(photo.thumbUrl)
    expect(thumb.headers.get('content-type')).toBe('image/webp')
    const preview = await fetch(photo.previewUrl)
    expect(preview.headers.get('content-type')).toBe('image/jpeg')
    expect((await sharp(Buffer.from(await preview.arrayBuffer())).metadata()).width).toBe(1920)
    expect(await stored(album)).toHaveLength(19)
    // Without the signature the photo cannot be fetched.
    expect((await fetch(address.replace(/\?.*/, ''))).ok).toBe(false)
    expect((await fetch(photo.url.slice(0, -2), { redirect: 'manual' })).status).toBe(403)

    const erased = await owner.delete(`/api/albums/${ownerKey}`)
    expect(erased.body).toEqual({ rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 })
    expect(await stored(album)).toEqual([])
    const uploads = await plain.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket }))
    expect(uploads.Uploads ?? []).toEqual([])
    expect((await fetch(photo.url, { redirect: 'manual' })).status).toBe(404)
    expect((await fetch(address)).status).toBe(404)
    expect(service.logged).toEqual([])
  })

  test('pages may show photos from the bucket, and from no other server', async () => {
    const policy = (await fetch(`${service.url}/api/albums/list`)).headers.get('content-security-policy')
    expect(policy).toContain(`img-src 'self' blob: data: ${proxy.url};`)
  })
})

describe('a store that fails', () => {
  const refusal = { status: 403, body: '<Error><Code>AccessDenied</Code><Message>No</Message></Error>' }
  const outage = { status: 503, body: '<Error><Code>SlowDown</Code><Message>Later</Message></Error>' }

  test('loses no photo: the batch is answered 503, and stored when it is sent again', async () => {
    let puts = 0
    proxy.fault = ({ method }) => (method === 'PUT' && ++puts > 2 ? outage : undefined)
    const photos = await sampleUploads([1, 2, 3])
    const failed = await owner.uploadPhotos(ownerKey, photos, { totalIntendedPhotos: 3 })
    expectError(failed, 503, /^The photo storage is currently unavailable$/)
    expect((await owner.get(`/api/albums/${ownerKey}/progress`)).body.photosUploadedToS3).toBe(0)
    expect(await readdir(join(service.dataDir, 'staging'))).toEqual([])
    expect(JSON.stringify(service.logged)).toMatch(
      /The store answered with an error \(PutObject: 503 SlowDown\)/,
    )

    proxy.fault = () => undefined
    const again = await owner.uploadPhotos(ownerKey, photos, { totalIntendedPhotos: 3 })
    expect(again).toMatchObject({ status: 200, body: { successful: 3, failed: 0 } })
    await completed()
    expect(await stored(await albumId())).toHaveLength(9)
  })

  test('while it cannot be read, indexing waits and gives up no photo', async () => {
    proxy.fault = ({ method }) => (method === 'GET' ? outage : undefined)
    const failures = service.logged.length
    await owner.uploadPhotos(ownerKey, await sampleUploads([4]), { totalIntendedPhotos: 1 })
    await waitUntil('a failed job', async () => service.logged.length > failures)
    proxy.fault = () => undefined
    await completed()
    const { body } = await owner.get(`/api/albums/${ownerKey}/coverage`)
    expect(body).toMatchObject({ photosStored: 1, photosSearchable: 1, skippedFiles: [] })
  })

  test('while it refuses to delete, the remaining files are reported, and deleted later', async () => {
    const letters = await countLetters()
    await owner.uploadPhotos(ownerKey, await sampleUploads([5]), { totalIntendedPhotos: 1 })
    await completed()
    // A letter that is written while the album is erased also counts as a remaining file.
    await waitUntil('the letter', async () => (await countLetters()) > letters)
    const album = await albumId()
    const isDeletion = (method?: string, url?: string) => method === 'POST' && url!.includes('?delete')
    proxy.fault = ({ method, url }) => (isDeletion(method, url) ? refusal : undefined)
    const erased = await owner.delete(`/api/albums/${ownerKey}`)
    expect(erased.status).toBe(200)
    expect(erased.body).toEqual({ rowsRemaining: 0, filesRemaining: 3, facesRemaining: 0 })
    await waitUntil('the job to say why', async () =>
      JSON.stringify(service.logged).includes(
        'the owner of this key is not allowed to do this in the bucket (DeleteObjects',
      ),
    )
    expect(await stored(album)).toHaveLength(3)
    proxy.fault = () => undefined
    await waitUntil('the remaining files to be deleted', async () => (await stored(album)).length === 0)
  })
})
