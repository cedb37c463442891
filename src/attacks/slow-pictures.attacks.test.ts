import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'
import { childrenWith } from '../testing/child-processes.ts'
import { newPicture } from '../testing/new-picture.ts'
import { waitUntil } from '../testing/wait.ts'

const NETWORKS = 2

let site: AttackedSite
beforeAll(async () => {
  site = await startAttackedSite()
})
afterAll(() => site?.close())

/** A JPEG of four colours, which takes seconds to decode. */
const slowPicture = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#789' } })
    .toColourspace('cmyk')
    .jpeg({ progressive: true })
    .toBuffer()

test('networks that search and upload with the slowest pictures do not keep others from either', async () => {
  const [photo, selfie] = await Promise.all([slowPicture(8_000), slowPicture(4_000)])
  const honest = site.stranger()
  const { ownerKey } = await honest.createAlbum('Small Party')
  const guest = await site.guest()
  let done = 0
  for (let network = 0; network < NETWORKS; network++) {
    const attacker = site.stranger()
    const own = await attacker.createAlbum(`Heavy ${network}`)
    // Different bytes after the end of the picture, so that each is a photo of its own.
    const photos = Array.from({ length: 15 }, (_, number) => ({
      name: `${number}.jpg`,
      bytes: Buffer.concat([photo, Buffer.of(network, number)]),
    }))
    void attacker.uploadPhotos(own.ownerKey, photos).then(
      () => done++,
      () => {},
    )
    const searcher = await site.guest()
    for (let search = 0; search < 2; search++) searcher.search(site.album.albumName, selfie).catch(() => {})
  }
  await waitUntil('the decoders to work on them', async () => {
    return childrenWith('photos/decoder.ts', site.service.child.pid).length > NETWORKS
  })

  expect((await guest.search(site.album.albumName, site.selfie)).status).toBe(200)
  for (let upload = 0; upload < 3; upload++) {
    const { body } = await honest.uploadPhotos(ownerKey, [{ name: 'a.png', bytes: await newPicture() }])
    expect(body).toMatchObject({ successful: 1 })
  }
  expect(done).toBe(0)
}, 300_000)
