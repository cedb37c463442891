import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { S3Settings } from '../storage/s3-client.ts'
import { startTestApp, type TestApp } from './app.ts'
import { createBucket, plainS3 } from './bucket.ts'
import { createClient, readSample, sampleUploads } from './client.ts'
import { exifFields, onlyTakenAt } from './exif-fields.ts'
import { selfieFrom } from './selfie.ts'
import { waitUntil } from './wait.ts'

/** The tests that the whole service must pass with photos on the S3 of this test run. */
export function describeFlowOnS3(): void {
  let settings: S3Settings
  let plain: S3Client
  let service: TestApp

  beforeAll(async () => {
    settings = await createBucket()
    plain = await plainS3()
    const env = { S3_BUCKET: settings.bucket, S3_ENDPOINT: settings.endpoint!, S3_FORCE_PATH_STYLE: 'true' }
    service = await startTestApp({ env })
  })
  afterAll(async () => {
    await service?.close()
    plain.destroy()
    vi.unstubAllEnvs()
  })

  /** The keys of an album's files in the bucket. */
  async function stored(album: string): Promise<string[]> {
    const Prefix = `albums/${album}/`
    const { Contents = [] } = await plain.send(new ListObjectsV2Command({ Bucket: settings.bucket, Prefix }))
    return Contents.map(({ Key }) => Key!.slice(Prefix.length))
  }

  describe('an owner and a guest, with photos on S3', () => {
    test('upload, find, download from the bucket, and erase all of it', async () => {
      const owner = createClient(service.url)
      const { ownerKey, albumName } = await owner.createAlbum()
      const [first, ...others] = await sampleUploads()
      const photos = [{ ...first!, name: 'Fête – 花.jpg' }, ...others]
      const upload = await owner.uploadPhotos(ownerKey, photos, { totalIntendedPhotos: 6 })
      expect(upload).toMatchObject({ status: 200, body: { successful: 6, failed: 0 } })
      const isCompleted = async () => (await owner.get(`/api/albums/${ownerKey}/progress`)).body.isCompleted
      await waitUntil('completion', isCompleted)
      const { body } = await owner.get(`/api/albums/by-name/${albumName}`)
      const album = body.album.id as string
      // Six originals, thumbnails and previews.
      expect(await stored(album)).toHaveLength(18)
      expect(await readdir(join(service.dataDir, 'staging'))).toEqual([])
      expect(await readdir(service.dataDir)).not.toContain('files')

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
      expect(new URL(address).origin).toBe(settings.endpoint)
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
      const shown = await fetch(photo.url)
      expect(shown.headers.get('content-disposition')).toMatch(/^inline/)
      expect(Buffer.from(await shown.arrayBuffer())).toHaveLength(metadata.size!)
      expect((await fetch(photo.thumbUrl)).headers.get('content-type')).toBe('image/webp')
      expect(await stored(album)).toHaveLength(19)
      // Without the signature the photo cannot be fetched.
      expect((await fetch(address.replace(/\?.*/, ''))).ok).toBe(false)
      expect((await fetch(photo.url.slice(0, -2), { redirect: 'manual' })).status).toBe(403)

      const erased = await owner.delete(`/api/albums/${ownerKey}`)
      expect(erased.body).toEqual({ rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 })
      expect(await stored(album)).toEqual([])
      expect((await fetch(photo.url, { redirect: 'manual' })).status).toBe(404)
      expect((await fetch(address)).status).toBe(404)
      expect(service.logged).toEqual([])
    })

    test('pages may show photos from the bucket, and from no other server', async () => {
      const policy = (await fetch(`${service.url}/api/albums/list`)).headers.get('content-security-policy')
      expect(policy).toContain(`img-src 'self' blob: data: ${settings.endpoint};`)
    })
  })
}
