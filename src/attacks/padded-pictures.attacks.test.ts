import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'
import { bytesIn } from '../testing/bytes-in.ts'
import type { Upload } from '../testing/client.ts'

/** One byte less than the limit of a photo. */
const PADDED_BYTES = 5 * 1024 * 1024 - 1

let site: AttackedSite
beforeAll(async () => {
  site = await startAttackedSite()
})
afterAll(() => site?.close())

/** A tiny picture that is padded to 5 MB. */
async function paddedPicture(): Promise<Upload> {
  const [r, g, b] = randomBytes(3) as unknown as [number, number, number]
  const picture = await sharp({ create: { width: 16, height: 16, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer()
  return { name: 'tiny.png', bytes: Buffer.concat([picture, Buffer.alloc(PADDED_BYTES - picture.length)]) }
}

test('sixty tiny pictures that are padded to 5 MB take only the space of the pictures', async () => {
  const before = await bytesIn(join(site.dataDir, 'files'))
  const attacker = site.stranger()
  const { ownerKey } = await attacker.createAlbum('Padded')
  let stored = 0
  await site.attack(async () => {
    if (stored >= 60) return
    const photos = await Promise.all(Array.from({ length: 15 }, paddedPicture))
    const { status, body } = await attacker.uploadPhotos(ownerKey, photos)
    expect(status).toBe(200)
    stored += body.successful
  })
  expect(stored).toBeGreaterThanOrEqual(15)
  expect((await bytesIn(join(site.dataDir, 'files'))) - before).toBeLessThan(stored * 3000)
})
