import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeyring } from '../keyring.ts'
import { createPhotoLinks } from '../photos/links.ts'
import { processorMsOf } from '../processes/process-figures.ts'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'
import { childrenWith } from '../testing/child-processes.ts'
import type { TestClient } from '../testing/client.ts'
import { exifBomb } from '../testing/metadata-bombs.ts'
import { newPicture } from '../testing/new-picture.ts'
import { withEmptyScans } from '../testing/scan-bomb.ts'
import { waitUntil } from '../testing/wait.ts'

const ALBUMS = 6
const PHOTOS_OF_EACH = 2
/** A stranger's own address, which the service sees for each of their calls. */
const STRANGER = { 'x-forwarded-for': '203.0.113.66' }

const SECRET_KEY = 'a secret that the test knows and as long as a real one'
const links = createPhotoLinks({ keyring: createKeyring([SECRET_KEY]) })

let site: AttackedSite
beforeAll(async () => {
  site = await startAttackedSite({ SECRET_KEY })
})
afterAll(() => site?.close())

/** The addresses at full size of photos in several albums of one stranger, each of which takes longer than a decoder may
 *  work. */
async function heavyPhotos(stranger: TestClient): Promise<string[]> {
  const blank = sharp({ create: { width: 4_000, height: 4_000, channels: 3, background: '#789' } })
  const bomb = withEmptyScans(await blank.greyscale().jpeg({ progressive: true }).toBuffer(), 20_000)
  for (let album = 0; album < ALBUMS; album++) {
    const { ownerKey } = await stranger.createAlbum(`Heavy ${album}`)
    const photos = await Promise.all(
      Array.from({ length: PHOTOS_OF_EACH }, async () => ({ name: 'a.png', bytes: await newPicture() })),
    )
    const { status } = await stranger.uploadPhotos(ownerKey, photos, { totalIntendedPhotos: PHOTOS_OF_EACH })
    expect(status).toBe(200)
    // Otherwise its job would decode the heavy file, too.
    await waitUntil('the photos to be indexed', async () => {
      const { body } = await stranger.get(`/api/albums/${ownerKey}/progress`)
      return body.isCompleted
    })
  }
  const photos = await site.database.db
    .selectFrom('photos')
    .select(['id', 'album_id', 'sha256'])
    .where('album_id', '<>', site.album.id)
    .execute()
  // As if they had been stored before scans were counted.
  for (const { album_id, sha256 } of photos)
    await writeFile(join(site.dataDir, 'files/albums', album_id, sha256.toString('hex'), 'original'), bomb)
  return photos.map(({ id }) => site.url + links.sign(id, 1).url)
}

/** How many decoders use a core. */
async function decodersAtWork(): Promise<number> {
  const used = () =>
    new Map(childrenWith('photos/decoder.ts', site.service.child.pid).map((pid) => [pid, processorMsOf(pid)]))
  const before = used()
  await pause(500)
  return [...used()].filter(([pid, ms]) => ms > (before.get(pid) ?? 0) + 50).length
}

const failures = () =>
  site.database.db.selectFrom('failed_renditions').selectAll().orderBy('failed_at').execute()

test('twelve heavy photos of one stranger, opened and left again and again, are decoded once each', async () => {
  const addresses = await heavyPhotos(site.stranger())
  expect(addresses).toHaveLength(ALBUMS * PHOTOS_OF_EACH)
  const open = (signal?: AbortSignal) =>
    addresses.map((address) => fetch(address, { headers: STRANGER, ...(signal && { signal }) }))

  const leaving = new AbortController()
  const opened = Promise.allSettled(open(leaving.signal))
  await site.attack(() => pause(100))
  leaving.abort()
  await opened
  for (let time = 0; time < 5; time++) await Promise.allSettled(open(AbortSignal.timeout(50)))

  // Those that had begun go on to their end, and the others have left the queue.
  await waitUntil(
    'the decoders to be idle again',
    async () => (await failures()).length > 0 && (await decodersAtWork()) === 0,
    60_000,
  )
  const failed = await failures()
  expect(failed.length).toBeLessThan(addresses.length)

  for (const { album_id, sha256 } of failed) {
    const { id } = await site.database.db
      .selectFrom('photos')
      .select('id')
      .where('album_id', '=', album_id)
      .where('sha256', '=', sha256)
      .executeTakeFirstOrThrow()
    for (let time = 0; time < 3; time++) {
      const answer = await fetch(site.url + links.sign(id, 1).url, { headers: STRANGER })
      expect(answer.status).toBe(422)
      expect(await answer.json()).toMatchObject({ message: expect.stringContaining('takes too long') })
    }
  }
  expect(await decodersAtWork()).toBe(0)
  expect(await failures()).toEqual(failed)
}, 300_000)

test('pictures whose metadata points at itself, as selfies and photos from two addresses, cost no more than others', async () => {
  const bomb = exifBomb(
    await sharp(await newPicture())
      .jpeg()
      .toBuffer(),
  )
  expect(bomb.length).toBeLessThan(70_000)
  const guests = [await site.guest(), await site.guest()]
  const owners = await Promise.all(
    ['One', 'Other'].map(async (name) => {
      const client = site.stranger()
      return { client, ...(await client.createAlbum(`Bombs of ${name}`)) }
    }),
  )
  const searches = guests.flatMap((guest) =>
    Array.from({ length: 3 }, () => guest.search(site.album.albumName, bomb)),
  )
  const uploads = owners.map(({ client, ownerKey }) =>
    client.uploadPhotos(ownerKey, [{ name: 'bomb.jpg', bytes: bomb }]),
  )
  for (const { status } of await Promise.all(uploads)) expect(status).toBe(200)
  // No decoder was ended over it: nobody is seen in it, or it is not the guest's turn.
  for (const { status, body } of await Promise.all(searches)) {
    expect([422, 429, 503]).toContain(status)
    expect(body.message).not.toContain('takes too long')
  }
}, 120_000)
