import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'
import { bytesIn } from '../testing/bytes-in.ts'
import { createClient, readSample } from '../testing/client.ts'
import { databaseUrl } from '../testing/database.ts'
import { expectError } from '../testing/expect-error.ts'
import { MAIN, startService } from '../testing/process.ts'

const STAGING_MAX_MB = 200
/** One byte less than the limit of a photo. */
const PADDED_BYTES = 5 * 1024 * 1024 - 1
/** Five of them leave a few bytes of an address's share. */
const UNFINISHED_BYTES = 19_999_000

let site: AttackedSite
beforeAll(async () => {
  site = await startAttackedSite({ STAGING_MAX_MB: String(STAGING_MAX_MB) })
})
afterAll(() => site?.close())

const staging = () => join(site.dataDir, 'staging')

test('ten unfinished uploads hold half of the staging at most, and others upload as usual', async () => {
  const attacker = site.stranger()
  const { ownerKey } = await attacker.createAlbum('Unfinished')
  const sockets = Array.from({ length: 10 }, () => unfinishedUpload(ownerKey))
  try {
    await expect.poll(() => bytesIn(staging())).toBeGreaterThan(40e6)
    const owner = site.stranger()
    const album = await owner.createAlbum('Honest')
    const photo = { name: 'photo.jpg', bytes: await readSample(3) }
    expect((await owner.uploadPhotos(album.ownerKey, [photo])).body).toMatchObject({ successful: 1 })
    expect(await bytesIn(staging())).toBeLessThanOrEqual((STAGING_MAX_MB * 1e6) / 2)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  await expect.poll(() => bytesIn(staging())).toBe(0)
})

test('stalled uploads of two addresses hold the whole staging, and give way to others there and elsewhere', async () => {
  const addresses = ['203.0.113.10', '203.0.113.11']
  const sockets: Socket[] = []
  try {
    for (const address of addresses) {
      const { ownerKey } = await site.stranger().createAlbum('Stalled')
      for (let upload = 0; upload < 5; upload++) sockets.push(unfinishedUpload(ownerKey, address))
    }
    await expect.poll(() => bytesIn(staging()), { timeout: 30_000 }).toBeGreaterThan(199.9e6)
    const neighbour = createClient(site.url, '', { 'x-forwarded-for': addresses[0]! })
    const photo = { name: 'photo.jpg', bytes: await readSample(3) }
    for (const owner of [site.stranger(), neighbour]) {
      const album = await owner.createAlbum('Honest')
      expect((await owner.uploadPhotos(album.ownerKey, [photo])).body).toMatchObject({ successful: 1 })
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  await expect.poll(() => bytesIn(staging())).toBe(0)
})

/** Sends almost 20 MB of a batch, and does not end it. */
function unfinishedUpload(ownerKey: string, address = '203.0.113.10'): Socket {
  const { hostname, port, host } = new URL(site.url)
  const socket = connect(Number(port), hostname)
  const part = 'content-disposition: form-data; name="photos"; filename="a.jpg"\r\ncontent-type: image/jpeg'
  const lines = [
    `POST /api/albums/${ownerKey}/upload-photos HTTP/1.1`,
    `host: ${host}`,
    `x-forwarded-for: ${address}`,
    'content-type: multipart/form-data; boundary=x',
    'content-length: 70000000',
    '',
    '',
  ]
  socket.on('error', () => {})
  socket.resume()
  socket.write(lines.join('\r\n'))
  for (let left = UNFINISHED_BYTES; left > 0; left -= PADDED_BYTES) {
    socket.write(`--x\r\n${part}\r\n\r\n`)
    socket.write(Buffer.alloc(Math.min(left, PADDED_BYTES), 7))
    if (left > PADDED_BYTES) socket.write('\r\n')
  }
  return socket
}

test('while the disk is almost full, new photos and albums are refused and everything else goes on', async () => {
  const full = await startService(
    {
      DATABASE_URL: databaseUrl(site.database.address),
      SECRET_KEY: 'a secret for tests that is as long as a real one',
      DATA_DIR: site.dataDir,
      PORT: '0',
      FACE_WORKERS: '1',
      DISK_FREE_MIN_MB: '900000000',
    },
    [process.execPath, '--inspect-port=0', MAIN],
  )
  try {
    const { albumName, password, id, ownerKey } = site.album
    const guest = createClient(full.url)
    expect((await guest.post(`/api/albums/${albumName}/authenticate`, { password })).status).toBe(200)
    const photo = { name: 'photo.jpg', bytes: await readSample(4) }
    expectError(await guest.uploadPhotos(ownerKey, [photo]), 503, /The disk of this service is almost full/)
    const album = { email: 'owner@example.com', albumName: 'Refused' }
    expectError(await guest.post('/api/user-albums', album), 503, /almost full/)
    expect((await guest.get(`/api/albums/${id}/progress`)).status).toBe(200)
    const found = await guest.search(albumName, site.selfie)
    expect(found.status).toBe(200)
    const thumbnail = new URL(found.body.photos[0].thumbUrl)
    expect((await guest.get(thumbnail.pathname + thumbnail.search)).status).toBe(200)
    const { ownerKey: other } = await site.stranger().createAlbum('Later')
    expect((await guest.delete(`/api/albums/${other}`)).status).toBe(200)
  } finally {
    full.child.kill('SIGTERM')
    await full.ended
  }
})
