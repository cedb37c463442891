import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, type TestClient } from '../testing/client.ts'
import { addZippedPhotos } from '../testing/zipped-photos.ts'
import { createZip } from '../zips/create-zip.ts'

const STRANGER = '198.18.0.1'
const GUEST = '198.18.0.2'

let service: TestApp
let owner: TestClient
let addresses: string[]

beforeAll(async () => {
  service = await startTestApp({ work: false })
  owner = createClient(service.url)
  const { albumName } = await owner.createAlbum('Many downloads')
  addresses = await addZippedPhotos(service, albumName, { count: 4, bytes: 3_000 })
})
afterAll(() => service?.close())

test('a network whose photos take for ever does not hold up the zips of another', async () => {
  const { context } = service
  const { albumName } = await owner.createAlbum('Endless')
  const endless = await addZippedPhotos(service, albumName, { count: 4, bytes: 0 })
  const neverEnds = Promise.withResolvers<never>()
  const deps = { ...context, decoders: { ...context.decoders, full: () => neverEnds.promise } }
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const prepare = (network: string, photos: string[]) =>
    createZip(deps, { photos, partBytes: 2e9 }, { origin: '', network, hungUp: leaving.signal })
  const held = Array.from({ length: 5 }, () => prepare(STRANGER, endless))
  expect((await prepare(GUEST, addresses)).parts).toHaveLength(1)
  leaving.abort()
  for (const { parts, photosReady } of await Promise.all(held)) expect([parts, photosReady]).toEqual([[], 0])
})
