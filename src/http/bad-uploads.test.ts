import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { owner as client, createAlbumForEachTest, ownerKey, service } from '../testing/album-for-each-test.ts'
import { readSample } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { newPicture } from '../testing/new-picture.ts'
import { waitUntil } from '../testing/wait.ts'

createAlbumForEachTest({ work: false })

const stagedFiles = () => readdir(join(service.dataDir, 'staging'))

describe('uploading', () => {
  const upload = (name: string, bytes: Buffer) => client.uploadPhotos(ownerKey, [{ name, bytes }])

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
    expect((await client.get(`/api/albums/${ownerKey}/progress`)).body.photosUploadedToS3).toBe(0)
  })

  test('a photo over 5 MB is refused, and the other photo of the batch is kept', async () => {
    const huge = Buffer.concat([await readSample(2), Buffer.alloc(5 * 1024 * 1024)])
    const { status, body } = await client.uploadPhotos(ownerKey, [
      { name: 'huge.jpg', bytes: huge },
      { name: 'good.jpg', bytes: await readSample(1) },
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

  test('folders in a filename are removed; the same bytes are stored once', async () => {
    const bytes = await readSample(4)
    const { body } = await client.uploadPhotos(ownerKey, [
      { name: '../../../etc/cron.d/party.jpg', bytes },
      { name: 'C:\\photos\\copy.jpg', bytes },
    ])
    expect(body.files).toEqual([
      { filename: 'party.jpg', status: 'stored' },
      { filename: 'copy.jpg', status: 'duplicate' },
    ])
  })

  test('photos are taken as what they are, whatever their names say', async () => {
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
    const { body } = await client.uploadPhotos(ownerKey, [
      { name: 'a.HEIC', bytes: await readSample(1) },
      { name: 'b', bytes: await newPicture() },
      { name: 'c.jpg', bytes: heic },
      { name: 'd.heic', bytes: Buffer.concat([heic, heic]) },
      { name: 'e.jpg', bytes: Buffer.alloc(0) },
    ])
    const stored = { status: 'stored' }
    const refused = (message: string) => ({ status: 'refused', message: expect.stringMatching(message) })
    expect(body.files).toMatchObject([
      stored,
      stored,
      refused('^This is a HEIC picture although its name says .jpg. Please save it as JPEG$'),
      refused('^(?!.*although)'),
      refused('empty'),
    ])
  })

  test('a photo is as wide and high as it is seen', async () => {
    const picture = sharp(await readSample(5)).resize(400)
    await upload('turned.jpg', await picture.withMetadata({ orientation: 6 }).jpeg().toBuffer())
    const turned = await service.database.db
      .selectFrom('photos')
      .selectAll()
      .where('filename', '=', 'turned.jpg')
      .executeTakeFirstOrThrow()
    expect(turned.height).toBeGreaterThan(turned.width)
  })
})
