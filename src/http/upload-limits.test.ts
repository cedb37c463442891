import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAlbum } from '../albums/create.ts'
import { decryptPassword } from '../albums/password.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, readSample, type TestClient } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { buildApp } from './app.ts'
import { LIMITS } from './limits.ts'

const DISK_ALMOST_FULL = 'The disk of this service is almost full, so nothing new can be stored at the moment'

let service: TestApp
let owner: TestClient
beforeAll(async () => {
  service = await startTestApp({ work: false })
  owner = createClient(service.url)
})
afterAll(() => service?.close())

const stagedFiles = () => readdir(join(service.dataDir, 'staging'))

test('an upload that pauses for too long is ended, and leaves nothing behind', async () => {
  const impatient = await buildApp(service.context, { ...LIMITS, silence: 1_000 })
  await impatient.listen({ host: '127.0.0.1', port: 0 })
  try {
    const { ownerKey } = await owner.createAlbum()
    const { port } = impatient.server.address() as AddressInfo
    const socket = beginUpload(port, ownerKey)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await expect.poll(stagedFiles).toHaveLength(1)
    await closed
    await expect.poll(stagedFiles).toEqual([])
  } finally {
    await impatient.close()
  }
})

/** Sends the beginning of a photo, and nothing more. */
function beginUpload(port: number, ownerKey: string): Socket {
  const socket = connect(port, '127.0.0.1')
  const part = 'content-disposition: form-data; name="photos"; filename="a.jpg"\r\ncontent-type: image/jpeg'
  socket.write(
    [
      `POST /api/albums/${ownerKey}/upload-photos HTTP/1.1`,
      'host: localhost',
      'content-type: multipart/form-data; boundary=x',
      'content-length: 1000000',
      '',
      `--x\r\n${part}\r\n\r\nhalf a photo`,
    ].join('\r\n'),
  )
  socket.resume()
  return socket
}

test('below its minimum of free disk the service adds nothing, and does everything else', async () => {
  const full = await startTestApp({ work: false, env: { DISK_FREE_MIN_MB: '900000000' } })
  try {
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
  } finally {
    await full.close()
  }
})

test('one email address, and one network address, make a number of albums in a day', async () => {
  const limited = await startTestApp({ work: false, limits: undefined, env: { ALBUMS_PER_DAY: '2' } })
  try {
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
  } finally {
    await limited.close()
  }
})

test('no other limit holds than ALBUMS_PER_DAY, and a raised one holds at once', async () => {
  const limited = await startTestApp({ work: false, limits: undefined, env: { ALBUMS_PER_DAY: '70' } })
  try {
    const create = async () =>
      (
        await createClient(limited.url).post('/api/user-albums', {
          email: `${randomUUID()}@example.com`,
          albumName: 'Party',
        })
      ).status
    const answers = await Promise.all(Array.from({ length: 90 }, create))
    expect(answers.filter((status) => status === 200)).toHaveLength(70)
    limited.context.limits.albumsOfDay.calls = 71
    expect([await create(), await create()]).toEqual([200, 429])
  } finally {
    await limited.close()
  }
})
