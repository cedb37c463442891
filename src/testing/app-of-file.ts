import { afterAll } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'
import { createClient, type TestClient, type Upload } from './client.ts'
import { waitUntil } from './wait.ts'

/** Starts a service for the tests of a file, which ends with them. Takes what startTestApp takes. */
export async function appOfFile(options: Parameters<typeof startTestApp>[0] = {}): Promise<TestApp> {
  const service = await startTestApp(options)
  afterAll(() => service.close())
  return service
}

/** A client that has entered the album of an owner with its password. */
export async function guestOf(
  { url }: TestApp,
  owner: TestClient,
  albumName: string,
  guest = createClient(url),
): Promise<TestClient> {
  const { albumPassword: password } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  const { status } = await guest.post(`/api/albums/${albumName}/authenticate`, { password })
  if (status !== 200) throw new Error(`The album password answered ${status}`)
  return guest
}

/** A new album whose photos can be searched. */
export async function albumWith(owner: TestClient, photos: Upload[], name?: string) {
  const album = await owner.createAlbum(name)
  await uploadAll(owner, album.ownerKey, photos)
  return album
}

/** Adds photos to an album, and waits until they can be searched. */
export async function uploadAll(owner: TestClient, ownerKey: string, photos: Upload[]): Promise<void> {
  await owner.uploadPhotos(ownerKey, photos, { totalIntendedPhotos: photos.length })
  await waitUntil('completion', async () => {
    const { body } = await owner.get(`/api/albums/${ownerKey}/progress`)
    return body.isCompleted && body.photosIndexedToRekognition === body.photosUploadedToS3
  })
}

/** Waits until all photos that were announced can be searched. */
export async function untilComplete(owner: TestClient, ownerKey: string): Promise<void> {
  await waitUntil('completion', async () => {
    return (await owner.get(`/api/albums/${ownerKey}/progress`)).body.isCompleted
  })
}
