import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'
import { createClient, type TestClient } from './client.ts'

export let service: TestApp
/** Has created the album. */
export let owner: TestClient
export let ownerKey: string
export let albumName: string
export let albumId: string

/** Starts a service for a test file, and creates an album for each of its tests. Takes what startTestApp takes. */
export function createAlbumForEachTest(options: Parameters<typeof startTestApp>[0]): void {
  beforeAll(async () => {
    service = await startTestApp(options)
  })
  afterAll(() => service?.close())
  beforeEach(async () => {
    owner = createClient(service.url)
    ;({ ownerKey, albumName } = await owner.createAlbum())
    albumId = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album.id
  })
}
