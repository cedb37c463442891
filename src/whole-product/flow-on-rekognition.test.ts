import { ListCollectionsCommand, RekognitionClient } from '@aws-sdk/client-rekognition'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createFaceWorkers } from '../faces/embedded/networks/face-workers.ts'
import { createLog } from '../log.ts'
import { startTestApp } from '../testing/app.ts'
import { albumWith, appOfFile } from '../testing/app-of-file.ts'
import { childrenWith } from '../testing/child-processes.ts'
import { createClient, readSample, sampleUploads } from '../testing/client.ts'
import { recogniseWith } from '../testing/rekognition/recogniser.ts'
import { startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { selfieFrom } from '../testing/selfie.ts'

const SECRET_KEY = 'one key for both services of this test'
/** Embedded engines of other tests in this process. */
const enginesBefore = childrenWith('face-worker')
const workers = createFaceWorkers({ log: createLog('silent'), size: 1 })
const rekognition = await startStandInRekognition({
  recognise: recogniseWith(async (image) => {
    const { faces } = await workers.describePhoto(image)
    // In a photo with five faces, the first face is reported as too small.
    return faces.length === 5
      ? faces.map((face, place) => (place === 0 ? { ...face, unindexed: ['SMALL_BOUNDING_BOX'] } : face))
      : faces
  }),
})
afterAll(async () => {
  await rekognition.close()
  await workers.close()
})
const { endpoint, region, credentials } = rekognition
const service = await appOfFile({
  env: { SECRET_KEY, FACES: 'rekognition', REKOGNITION_ENDPOINT: endpoint },
  rekognition: { client: { region, credentials } },
  facesStartLate: false,
  faceWorkers: undefined,
})
const owner = createClient(service.url)
let ownerKey: string
let albumName: string

async function collections(): Promise<string[] | undefined> {
  const client = new RekognitionClient({ endpoint, region, credentials })
  return (await client.send(new ListCollectionsCommand({}))).CollectionIds
}

const selfie = async () => selfieFrom(service.database.db, 'sample1.jpg', await readSample(1))

describe('an owner and a guest, with faces on Amazon Rekognition', () => {
  test('an album is uploaded and indexed until it is complete', async () => {
    ;({ ownerKey, albumName } = await albumWith(owner, await sampleUploads(), 'Wedding'))
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

  test('a service that has the embedded engine now erases the album, and leaves no row, no face and no collection', async () => {
    expect((await service.context.otherFaces()).engine).toBe('embedded')
    const later = await startTestApp({
      work: false,
      database: service.database.address,
      env: { SECRET_KEY, REKOGNITION_ENDPOINT: endpoint },
      rekognition: { client: { region, credentials } },
    })
    onTestFinished(() => later.close())
    expect(later.context.faces.engine).toBe('embedded')
    expect((await createClient(later.url).delete(`/api/albums/${ownerKey}`)).body).toEqual({
      rowsRemaining: 0,
      filesRemaining: 0,
      facesRemaining: 0,
    })
    expect(await collections()).toEqual([])
  })
})
