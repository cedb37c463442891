import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import {
  albumName,
  owner as client,
  createAlbumForEachTest,
  ownerKey,
  service,
} from '../testing/album-for-each-test.ts'
import { readSample } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { postRaw } from '../testing/raw-call.ts'
import { waitUntil } from '../testing/wait.ts'

createAlbumForEachTest({ work: false })

const stagedFiles = () => readdir(join(service.dataDir, 'staging'))

describe('uploading', () => {
  const upload = (name: string, bytes: Buffer) => client.uploadPhotos(ownerKey, [{ name, bytes }])
  const good = async () => ({ name: 'good.jpg', bytes: await readSample(1) })

  async function expectNothingKept(): Promise<void> {
    const album = await service.database.db
      .selectFrom('albums')
      .select('photos_stored')
      .where('slug', '=', albumName)
      .executeTakeFirstOrThrow()
    expect(album.photos_stored).toBe(0)
    expect(await stagedFiles()).toEqual([])
  }

  test('a body that is not a form', async () => {
    expectError(await client.post(`/api/albums/${ownerKey}/upload-photos`, {}), 415, /multipart/)
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expectError(
      await postRaw(service.url, `/api/albums/${ownerKey}/upload-photos`, headers, 'garbage'),
      400,
      /./,
    )
  })

  test('a form that ends early', async () => {
    const start =
      '--x\r\ncontent-disposition: form-data; name="photos"; filename="a.jpg"\r\n' +
      'content-type: image/jpeg\r\n\r\n'
    const body = Buffer.concat([Buffer.from(start), (await readSample(1)).subarray(0, 1000)])
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expectError(
      await postRaw(service.url, `/api/albums/${ownerKey}/upload-photos`, headers, body),
      400,
      /cut off/,
    )
    await expectNothingKept()
  })

  test('an upload that is aborted leaves nothing behind', async () => {
    const bytes = await readSample(1)
    const call = request(`${service.url}/api/albums/${ownerKey}/upload-photos`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 10_000_000 },
    })
    const gone = new Promise((resolve) => call.on('error', resolve))
    call.write('--x\r\ncontent-disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n')
    call.write(bytes)
    await waitUntil('the file to arrive', async () => (await stagedFiles()).length > 0)
    call.destroy()
    await gone
    await waitUntil('the file to be removed', async () => (await stagedFiles()).length === 0)
    await expectNothingKept()
  })

  test('a GIF, an SVG, and an empty file', async () => {
    const gif = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .gif()
      .toBuffer()
    expectError(await upload('a.jpg', gif), 415, /^Only JPEG and PNG/)
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    expectError(await upload('a.png', svg), 415, /^Only JPEG and PNG/)
    expectError(await upload('a.png', Buffer.alloc(0)), 400, /empty/)
    await expectNothingKept()
  })

  test('a photo over 5 MB is refused, and the other photo of the batch is kept', async () => {
    const huge = Buffer.concat([await readSample(2), Buffer.alloc(5 * 1024 * 1024)])
    const { status, body } = await client.uploadPhotos(ownerKey, [
      { name: 'huge.jpg', bytes: huge },
      await good(),
    ])
    expect(status).toBe(200)
    expect(body).toEqual({
      successful: 1,
      failed: 1,
      files: [
        {
          filename: 'huge.jpg',
          status: 'refused',
          message: 'File too large (max 5MB per photo for facial recognition)',
          reason: 'payload_too_large',
        },
        { filename: 'good.jpg', status: 'stored' },
      ],
    })
    expectError(await upload('huge.jpg', huge), 413, /File too large/)
  })

  test('folders in a filename are removed', async () => {
    const bytes = await readSample(4)
    const { body } = await upload('../../../etc/cron.d/party.jpg', bytes)
    expect(body.files).toEqual([{ filename: 'party.jpg', status: 'stored' }])
    const windows = await upload('C:\\photos\\party.jpg', bytes)
    expect(windows.body.files[0].filename).toBe('party.jpg')
  })

  test('the same bytes twice in one batch are stored once', async () => {
    const photo = await good()
    const { body } = await client.uploadPhotos(ownerKey, [photo, { ...photo, name: 'copy.jpg' }])
    expect(body.files).toEqual([
      { filename: 'good.jpg', status: 'stored' },
      { filename: 'copy.jpg', status: 'duplicate' },
    ])
    expect((await client.get(`/api/albums/${ownerKey}/progress`)).body.photosUploadedToS3).toBe(1)
  })

  test('a PNG, a greyscale one and a rotated one are kept', async () => {
    const base = sharp(await readSample(5)).resize(400)
    const photos = [
      { name: 'a.png', bytes: await base.clone().png().toBuffer() },
      { name: 'grey.png', bytes: await base.clone().greyscale().toColourspace('b-w').png().toBuffer() },
      { name: 'turned.jpg', bytes: await base.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer() },
    ]
    expect((await client.uploadPhotos(ownerKey, photos)).body).toMatchObject({ successful: 3, failed: 0 })
    const turned = await service.database.db
      .selectFrom('photos')
      .selectAll()
      .where('filename', '=', 'turned.jpg')
      .executeTakeFirstOrThrow()
    expect(turned.height).toBeGreaterThan(turned.width)
  })
})
