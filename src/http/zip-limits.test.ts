import { expect, onTestFinished, test } from 'vitest'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient } from '../testing/client.ts'
import { addZippedPhotos } from '../testing/zipped-photos.ts'
import { createZip } from '../zips/create-zip.ts'

const STRANGER = '198.18.0.1'
const GUEST = '198.18.0.2'

const service = await appOfFile({ work: false })
const owner = createClient(service.url)

test('a network whose photos take for ever does not hold up the zips of another', async () => {
  const { services } = service.context
  const zipped = async (bytes: number) =>
    addZippedPhotos(service, (await owner.createAlbum()).albumName, { count: 4, bytes })
  const [ready, endless] = [await zipped(3_000), await zipped(0)]
  const neverEnds = Promise.withResolvers<never>()
  const deps = { ...services, decoders: { ...services.decoders, full: () => neverEnds.promise } }
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const prepare = (network: string, photos: string[]) =>
    createZip(deps, { photos, partBytes: 2e9 }, { origin: '', network, hungUp: leaving.signal })
  const held = Array.from({ length: 5 }, () => prepare(STRANGER, endless))
  expect((await prepare(GUEST, ready)).parts).toHaveLength(1)
  leaving.abort()
  for (const { parts, photosReady } of await Promise.all(held)) expect([parts, photosReady]).toEqual([[], 0])
})
