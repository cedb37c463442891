import { BATCH_SIZE } from '../../src/contract/limits.ts'
import { startTestApp, type TestApp } from '../../src/testing/app.ts'
import { createClient, sampleUploads, type TestClient, type Upload } from '../../src/testing/client.ts'
import { waitUntil } from '../../src/testing/wait.ts'

/** An album, and the client whose session owns it. */
export interface OwnedAlbum {
  ownerKey: string
  albumName: string
  displayName: string
  password: string
  owner: TestClient
}

/** The whole service with its web app, for a browser to visit. */
export interface Site extends TestApp {
  /** An album without photos. */
  createAlbum(displayName?: string): Promise<OwnedAlbum>
  /** Uploads photos to an album (some of the six samples, or files), and waits until all of its photos can be found. */
  fill(album: OwnedAlbum, photos: number[] | Upload[]): Promise<void>
}

/** Takes what startTestApp takes. */
export async function startSite(options: Parameters<typeof startTestApp>[0] = {}): Promise<Site> {
  const app = await startTestApp(options)
  return {
    ...app,

    async createAlbum(displayName = 'Summer Party') {
      const owner = createClient(app.url)
      const { ownerKey, albumName } = await owner.createAlbum(displayName)
      const { body } = await owner.get(`/api/albums/by-name/${albumName}`)
      return { ownerKey, albumName, displayName, password: body.album.albumPassword, owner }
    },

    async fill({ ownerKey, owner }, photos) {
      const uploads = await asUploads(photos)
      for (let sent = 0; sent < uploads.length; sent += BATCH_SIZE) {
        const { status, body } = await owner.uploadPhotos(ownerKey, uploads.slice(sent, sent + BATCH_SIZE), {
          totalIntendedPhotos: uploads.length,
        })
        if (status !== 200) throw new Error(`The upload answered ${status}: ${body.message}`)
      }
      await waitUntil('all photos to be searchable', async () => {
        const { body } = await owner.get(`/api/albums/${ownerKey}/progress`)
        // A complete album stays complete while more photos are indexed.
        return body.isCompleted && !body.isUploadingToS3 && !body.isIndexingToRekognition
      })
    },
  }
}

async function asUploads(photos: number[] | Upload[]): Promise<Upload[]> {
  const numbers = photos.filter((photo) => typeof photo === 'number')
  const files = photos.filter((photo) => typeof photo !== 'number')
  return [...(await sampleUploads(numbers)), ...files]
}
