import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAlbum } from '../albums/create.ts'
import { decryptPassword } from '../albums/password.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { startTestApp } from '../testing/app.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { type BegunForm, beginForm } from '../testing/begun-form.ts'
import { createClient, readSample } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { newPicture } from '../testing/sample-photos.ts'
import { buildApp } from './app.ts'
import { LIMITS } from './limits.ts'

const DISK_ALMOST_FULL = 'The disk of this service is almost full, so nothing new can be stored at the moment'

const MB = 1024 * 1024
const service = await appOfFile({ work: false })
const owner = createClient(service.url)

const stagedFiles = () => readdir(join(service.dataDir, 'staging'))

test.each([
  ['that its sender aborts', LIMITS.silence],
  ['that pauses for too long', 1_000],
])('an upload %s leaves nothing behind', async (_what, silence) => {
  const app = await buildApp(service.context, { ...LIMITS, silence })
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const { ownerKey } = await owner.createAlbum()
  // The beginning of a photo, and nothing more.
  const upload = beginForm(`${url}/api/albums/${ownerKey}/upload-photos`, { part: 'photos' })
  await expect.poll(stagedFiles).toHaveLength(1)
  if (silence === LIMITS.silence) upload.hangUp()
  await upload.answer
  await expect.poll(stagedFiles).toEqual([])
  expect((await owner.get(`/api/albums/${ownerKey}/progress`)).body.photosUploadedToS3).toBe(0)
})

test('a photo over 5 MB is refused, and the other photo of the batch is kept', async () => {
  const { ownerKey } = await owner.createAlbum()
  const huge = {
    name: 'huge.jpg',
    bytes: Buffer.concat([await readSample(2), Buffer.alloc(5 * MB)]),
  }
  const good = { name: 'good.jpg', bytes: await readSample(1) }
  const message = 'File too large (max 5MB per photo for facial recognition)'
  expect(await owner.uploadPhotos(ownerKey, [huge, good])).toMatchObject({
    status: 200,
    body: {
      successful: 1,
      failed: 1,
      files: [
        { filename: 'huge.jpg', status: 'refused', message, reason: 'payload_too_large' },
        { filename: 'good.jpg', status: 'stored' },
      ],
    },
  })
  expectError(await owner.uploadPhotos(ownerKey, [huge]), 413, /File too large/)
})

test('photos are taken as what they are, whatever their names say, and the same bytes once', async () => {
  const { ownerKey } = await owner.createAlbum()
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
  const { body } = await owner.uploadPhotos(ownerKey, [
    { name: '../../../etc/cron.d/a.HEIC', bytes: await readSample(1) },
    { name: 'C:\\photos\\copy.jpg', bytes: await readSample(1) },
    { name: 'b', bytes: await newPicture() },
    { name: 'c.jpg', bytes: heic },
    { name: 'd.heic', bytes: Buffer.concat([heic, heic]) },
    { name: 'e.jpg', bytes: Buffer.alloc(0) },
  ])
  const refused = (message: string) => ({ status: 'refused', message: expect.stringMatching(message) })
  expect(body.files).toMatchObject([
    { filename: 'a.HEIC', status: 'stored' },
    { filename: 'copy.jpg', status: 'duplicate' },
    { filename: 'b', status: 'stored' },
    refused('^This is a HEIC picture although its name says .jpg. Please save it as JPEG$'),
    refused('^(?!.*although)'),
    refused('empty'),
  ])
})

test('below its minimum of free disk the service adds nothing, and does everything else', async () => {
  const full = await startTestApp({ work: false, env: { DISK_FREE_MIN_MB: '900000000' } })
  onTestFinished(() => full.close())
  const client = createClient(full.url)
  const input = { email: 'owner@example.com', albumName: 'Party' }
  const { album, ownerKey } = await createAlbum(full.context, input, COMMAND_LINE)
  const bytes = await readSample(1)
  const refusals = [
    await client.uploadPhotos(ownerKey, [{ name: 'a.jpg', bytes }]),
    await client.post('/api/user-albums', input),
    await client.submitSelfie(bytes, { userAlbumId: ownerKey }),
  ]
  for (const refused of refusals) {
    expectError(refused, 503, new RegExp(DISK_ALMOST_FULL))
    expect(refused.headers.get('retry-after')).toBe('60')
  }
  expect((await client.get(`/api/albums/${ownerKey}/progress`)).status).toBe(200)
  const password = decryptPassword(full.context.keyring, album)
  const entered = await client.post(`/api/albums/${album.slug}/authenticate`, { password })
  expect(entered.status).toBe(200)
  expect(await full.context.readiness.isReady()).toBe(true)
  expect((await full.context.readiness.dependencies()).disk).toMatchObject({
    ok: false,
    message: DISK_ALMOST_FULL,
  })
  expect((await client.delete(`/api/albums/${ownerKey}`)).status).toBe(200)
})

test('one email address, and one network address, make a number of albums in a day', async () => {
  const limited = await startTestApp({ work: false, limits: undefined, env: { ALBUMS_PER_DAY: '2' } })
  onTestFinished(() => limited.close())
  const create = (address: string, email: string) =>
    createClient(limited.url, '', { 'x-forwarded-for': address }).post('/api/user-albums', {
      email,
      albumName: 'Party',
    })
  expect((await create('192.0.2.1', 'a@example.com')).status).toBe(200)
  expect((await create('192.0.2.2', 'A@example.com')).status).toBe(200)
  expectError(await create('192.0.2.3', 'a@example.com'), 429, /Too many albums were made today/)
  expect((await create('192.0.2.1', 'b@example.com')).status).toBe(200)
  expectError(await create('192.0.2.1', 'c@example.com'), 429, /Too many albums were made today/)
  // What the email address was refused is not counted for the network.
  for (const name of ['d', 'e']) expect((await create('192.0.2.3', `${name}@example.com`)).status).toBe(200)
})

/** No picture, so that its search ends at once. */
const WORDS = Buffer.from('just words')

const { albumName } = await owner.createAlbum()

type FormOptions = Parameters<typeof beginForm>[1] & { url?: string }
function begin(path: string, { url = service.url, ...options }: FormOptions): BegunForm {
  const form = beginForm(url + path, options)
  onTestFinished(form.hangUp)
  return form
}
const search = (options: FormOptions = {}) =>
  begin('/api/search-in-album', { cookie: owner.cookie(), fields: { albumName }, ...options })

describe('at the first byte of the photo', () => {
  test('a search of an album without a grant is refused, when its name comes first', async () => {
    const other = createClient(service.url)
    const { albumName: theirs } = await other.createAlbum('Theirs')
    expect(await search({ fields: { albumName: theirs } }).answer).toMatchObject({ status: 401 })
    expect(await search({ fields: { albumName: 'unknown' } }).answer).toMatchObject({ status: 404 })
  })

  test('a form that says it is larger than three selfies is refused', async () => {
    expect(await search({ length: 31 * MB }).answer).toMatchObject({ status: 413 })
  })
})

test('a form that arrives too slowly is given up, and its places are free again', async () => {
  const app = await buildApp(service.context, { ...LIMITS, selfie: 500 })
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  // Together they take all the places of their network.
  const slow = [1, 2, 3].map(() => search({ url, length: 30 * MB }))
  const again = createClient(url, owner.cookie()).search(albumName, WORDS)
  for (const form of slow) expect(await form.answer).toMatchObject({ status: 408, body: { code: 'TIMEOUT' } })
  expect((await again).status).toBe(415)
})

test('a hall of guests whose selfies stand still leaves room to a guest of another network', async () => {
  // Three pictures of 10 MB each, so that few of them take all the places of their network.
  const hall = { address: '203.0.113.1', length: 30 * MB }
  for (let count = 0; count < 4; count++) search(hall)
  const guest = createClient(service.url, owner.cookie(), { 'x-forwarded-for': '203.0.113.2' })
  expect((await guest.search(albumName, WORDS)).status).toBe(415)
})
