import { ListCollectionsCommand, RekognitionClient } from '@aws-sdk/client-rekognition'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFaceWorkers, type FaceWorkers } from '../faces/embedded/networks/face-workers.ts'
import { createLog } from '../log.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { childrenWith } from '../testing/child-processes.ts'
import { createClient, readSample, sampleUploads, type TestClient } from '../testing/client.ts'
import { recogniseWith } from '../testing/rekognition/recogniser.ts'
import { type StandIn, startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { selfieFrom } from '../testing/selfie.ts'
import { waitUntil } from '../testing/wait.ts'

let workers: FaceWorkers
let rekognition: StandIn
let service: TestApp
/** Embedded engines of other tests in this process. */
let enginesBefore: number[]
let owner: TestClient
let ownerKey: string
let albumName: string

beforeAll(async () => {
  enginesBefore = childrenWith('face-worker')
  workers = createFaceWorkers({ log: createLog('silent'), size: 1 })
  rekognition = await startStandInRekognition({
    recognise: recogniseWith(async (image) => {
      const { faces } = await workers.describePhoto(image)
      // In a photo with five faces, the first face is reported as too small.
      return faces.length === 5
        ? faces.map((face, place) => (place === 0 ? { ...face, unindexed: ['SMALL_BOUNDING_BOX'] } : face))
        : faces
    }),
  })
  const { endpoint, region, credentials } = rekognition
  service = await startTestApp({
    env: { FACES: 'rekognition', REKOGNITION_ENDPOINT: endpoint },
    rekognition: { client: { region, credentials } },
    facesStartLate: false,
    faceWorkers: undefined,
  })
  owner = createClient(service.url)
})
afterAll(async () => {
  await service?.close()
  await rekognition?.close()
  await workers?.close()
})

async function collections(): Promise<string[] | undefined> {
  const { endpoint, region, credentials } = rekognition
  const client = new RekognitionClient({ endpoint, region, credentials })
  return (await client.send(new ListCollectionsCommand({}))).CollectionIds
}

const selfie = async () => selfieFrom(service.database.db, 'sample1.jpg', await readSample(1))

describe('an owner and a guest, with faces on Amazon Rekognition', () => {
  test('an album is uploaded and indexed until it is complete', async () => {
    ;({ ownerKey, albumName } = await owner.createAlbum('Wedding'))
    const fields = { totalIntendedPhotos: 6 }
    await owner.uploadPhotos(ownerKey, await sampleUploads(), fields)
    await waitUntil('completion', async () => {
      return (await owner.get(`/api/albums/${ownerKey}/progress`)).body.isCompleted
    })
    expect(await collections()).toHaveLength(1)
    expect(rekognition.count('IndexFaces')).toBe(6)
    const started = childrenWith('face-worker').filter((pid) => !enginesBefore.includes(pid))
    expect(started, 'embedded engines: only the one of the stand-in').toHaveLength(1)
    const described = service.database.db.selectFrom('faces').select('id').where('descriptor', 'is not', null)
    expect(await described.execute()).toEqual([])
  })

  test('a selfie finds its photo', async () => {
    const { status, body } = await owner.search(albumName, await selfie())
    expect(status).toBe(200)
    expect(body.photos[0].filename).toBe('sample1.jpg')
    expect(body.photos[0].similarity).toBeGreaterThan(95)
    expect(body.photos.length).toBeLessThan(6)
  })

  test('an erased album leaves no row, no file, no face and no collection', async () => {
    expect((await owner.delete(`/api/albums/${ownerKey}`)).body).toEqual({
      rowsRemaining: 0,
      filesRemaining: 0,
      facesRemaining: 0,
    })
    expect(await collections()).toEqual([])
  })
})
