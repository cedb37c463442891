import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'
import { readSample } from '../testing/client.ts'
import { withEmptyScans } from '../testing/scan-bomb.ts'
import { waitUntil } from '../testing/wait.ts'

let site: AttackedSite
let progressive: Buffer
beforeAll(async () => {
  site = await startAttackedSite()
  progressive = await sharp(await readSample(1))
    .resize(4_000)
    .jpeg({ quality: 60, progressive: true })
    .toBuffer()
})
afterAll(() => site?.close())

test('JPEGs of 1,500 scans, as four selfies at once and as a photo, are refused at once', async () => {
  const bomb = withEmptyScans(progressive, 1_500)
  expect(bomb.length).toBeLessThan(1_400_000)
  const guest = await site.guest()
  const owner = site.stranger()
  const { ownerKey } = await owner.createAlbum('An album of an attacker')
  await site.attack(async () => {
    const searches = Array.from({ length: 4 }, () => guest.search(site.album.albumName, bomb))
    const upload = await owner.uploadPhotos(ownerKey, [{ name: 'bomb.jpg', bytes: bomb }])
    expect(upload).toMatchObject({ status: 413, body: { message: expect.stringContaining('scans') } })
    for (const { status } of await Promise.all(searches)) expect([413, 429]).toContain(status)
  })
})

test('a stored JPEG of 40,000 scans that a visitor opens again and again ends only its decoder', async () => {
  const attacker = site.stranger()
  const { ownerKey, albumName } = await attacker.createAlbum('An older album')
  const photo = { name: 'photo.jpg', bytes: progressive }
  await attacker.uploadPhotos(ownerKey, [photo], { totalIntendedPhotos: 1 })
  await waitUntil('the album to be complete', async () => {
    return (await attacker.get(`/api/albums/${ownerKey}/progress`)).body.isCompleted
  })
  const found = await attacker.search(albumName, site.selfie)
  const { pathname, search } = new URL(found.body.photos[0].url)

  // As if it had been stored before scans were counted.
  const { body } = await attacker.get(`/api/albums/by-name/${albumName}`)
  const sha256 = createHash('sha256').update(progressive).digest('hex')
  const original = join(site.dataDir, 'files/albums', body.album.id, sha256, 'original')
  await writeFile(original, withEmptyScans(progressive, 40_000))

  await site.attack(async () => {
    const { status } = await attacker.get(pathname + search)
    expect(status).toBe(422)
  })
})
