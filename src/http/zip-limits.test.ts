import { expect, onTestFinished, test } from 'vitest'
import { photoKey } from '../photos/renditions.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient } from '../testing/client.ts'
import { insertStoredPhotos } from '../testing/indexed-photos.ts'
import { createZip } from '../zips/create-zip.ts'

const STRANGER = '198.18.0.1'
const GUEST = '198.18.0.2'

const service = await appOfFile({ work: false })
const owner = createClient(service.url)

/** The addresses of the photos of an album.
 *  @param bytes of their files, which are ready to be downloaded; 0: there are none */
async function photosOf(bytes: number): Promise<string[]> {
  const { db, storage, links } = service.context
  const { albumName } = await owner.createAlbum()
  const { id: albumId } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  const photos = await insertStoredPhotos(db, albumId, 4)
  await db.updateTable('photos').set({ full_bytes: bytes }).where('album_id', '=', albumId).execute()
  if (bytes > 0)
    for (const { sha256 } of photos)
      await storage.write(photoKey(albumId, sha256, 'full'), Buffer.alloc(bytes), 'image/jpeg')
  return photos.map(({ id }) => links.sign(id, 1).url)
}

test('a network whose photos take for ever does not hold up the zips of another', async () => {
  const { context } = service
  const [ready, endless] = [await photosOf(3_000), await photosOf(0)]
  const neverEnds = Promise.withResolvers<never>()
  // Those who leave before their turn do not wait for it.
  neverEnds.promise.catch(() => undefined)
  const deps = { ...context, decoders: { ...context.decoders, render: () => neverEnds.promise } }
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const prepare = (network: string, photos: string[]) =>
    createZip(deps, { photos, partBytes: 2e9 }, { origin: '', network, hungUp: leaving.signal })
  const held = Array.from({ length: 5 }, () => prepare(STRANGER, endless))
  expect((await prepare(GUEST, ready)).parts).toHaveLength(1)
  leaving.abort()
  neverEnds.reject(new Error('The picture took too long'))
  for (const { parts, photosReady } of await Promise.all(held)) expect([parts, photosReady]).toEqual([[], 0])
})
