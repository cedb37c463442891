import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import {
  albumName,
  owner as client,
  createAlbumForEachTest,
  ownerKey,
  service,
} from '../testing/album-for-each-test.ts'
import { readSample } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { blackPng } from '../testing/png.ts'
import { postRaw } from '../testing/raw-call.ts'
import { withArithmeticCoding, withEmptyScans } from '../testing/scan-bomb.ts'
import { waitUntil } from '../testing/wait.ts'

createAlbumForEachTest({ work: false })

const storedFiles = () => readdir(join(service.dataDir, 'files'), { recursive: true, withFileTypes: true })
async function filesOfAlbums(): Promise<number> {
  return (await storedFiles()).filter((entry) => entry.isFile() && entry.parentPath.includes('/albums'))
    .length
}
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

  test('an empty upload', async () => {
    expectError(await client.uploadPhotos(ownerKey, []), 400, /No photos were sent|form/)
    const form = new FormData()
    form.append('totalIntendedPhotos', '1')
    expectError(await client.postForm(`/api/albums/${ownerKey}/upload-photos`, form), 400, /No photos/)
    await expectNothingKept()
  })

  test('none of sixteen files is kept, and the answer says how many are allowed', async () => {
    const before = await filesOfAlbums()
    const { bytes } = await good()
    const sixteen = Array.from({ length: 16 }, (_, index) => ({ name: `${index}.jpg`, bytes }))
    expectError(await client.uploadPhotos(ownerKey, sixteen), 413, /At most 15 photos/)
    await expectNothingKept()
    expect(await filesOfAlbums()).toBe(before)
  })

  test('wrong field names', async () => {
    const form = new FormData()
    form.append('files', new Blob([new Uint8Array(await readSample(1))]), 'a.jpg')
    const answer = await client.postForm(`/api/albums/${ownerKey}/upload-photos`, form)
    expectError(answer, 400, /"files".*"photos"/)
    await expectNothingKept()
  })

  test('fields that are not numbers', async () => {
    const answer = await client.uploadPhotos(ownerKey, [await good()], { totalIntendedPhotos: 'many' })
    expectError(answer, 400, /./)
    await expectNothingKept()
  })

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

  test('a text file named .jpg', async () => {
    const answer = await upload('notes.jpg', Buffer.from('just words, no picture'))
    expectError(answer, 415, /^Only JPEG and PNG files are supported/)
    expect(answer.body).toMatchObject({ successful: 0, failed: 1 })
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
        },
        { filename: 'good.jpg', status: 'stored' },
      ],
    })
    expectError(await upload('huge.jpg', huge), 413, /File too large/)
  })

  test('a truncated photo is refused, and the other photo of the batch is kept', async () => {
    const whole = await readSample(3)
    const half = { name: 'half.jpg', bytes: whole.subarray(0, whole.length / 2) }
    const { status, body } = await client.uploadPhotos(ownerKey, [half, half, await good()])
    expect(status).toBe(200)
    expect(body).toMatchObject({ successful: 1, failed: 2 })
    expect(body.files[0].message).toMatch(/damaged|incomplete/)
  })

  test('a PNG of 30,000 × 30,000 pixels is refused', async () => {
    const bomb = blackPng(30_000)
    expect(bomb.length).toBeLessThan(1024 * 1024)
    expectError(await upload('bomb.png', bomb), 413, /too large/)
    await expectNothingKept()
  })

  test('a JPEG with more than 32 scans, or with arithmetic coding, is refused before it is decoded', async () => {
    const tenScans = await sharp(await readSample(1))
      .resize(100)
      .jpeg({ progressive: true })
      .toBuffer()
    const inspect = vi.spyOn(service.context.services.decoders, 'inspect')
    expectError(await upload('bomb.jpg', withEmptyScans(tenScans, 23)), 413, /more than 32 scans/)
    expectError(await upload('coded.jpg', withArithmeticCoding(tenScans)), 415, /arithmetic coding/)
    expect(inspect).not.toHaveBeenCalled()
    await expectNothingKept()
    expect((await upload('slow.jpg', withEmptyScans(tenScans, 22))).body).toMatchObject({ successful: 1 })
  })

  test('folders in a filename are removed', async () => {
    const bytes = await readSample(4)
    const { body } = await upload('../../../etc/cron.d/party.jpg', bytes)
    expect(body.files).toEqual([{ filename: 'party.jpg', status: 'stored' }])
    const windows = await upload('C:\\photos\\party.jpg', bytes)
    expect(windows.body.files[0].filename).toBe('party.jpg')
  })

  test('the same bytes twice are stored once, in one batch and in the next', async () => {
    const photo = await good()
    const twice = await client.uploadPhotos(ownerKey, [photo, { ...photo, name: 'copy.jpg' }])
    expect(twice.body).toEqual({
      successful: 2,
      failed: 0,
      files: [
        { filename: 'good.jpg', status: 'stored' },
        { filename: 'copy.jpg', status: 'duplicate' },
      ],
    })
    const again = await client.uploadPhotos(ownerKey, [photo])
    expect(again.body.files).toEqual([{ filename: 'good.jpg', status: 'duplicate' }])
    const { body } = await client.get(`/api/albums/${ownerKey}/progress`)
    expect(body.photosUploadedToS3).toBe(1)
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
