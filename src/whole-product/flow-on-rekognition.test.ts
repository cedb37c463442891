import { ListCollectionsCommand, RekognitionClient } from '@aws-sdk/client-rekognition'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TICKET_REFUSED } from '../contract/wording.ts'
import { createFaceWorkers, type FaceWorkers } from '../faces/embedded/face-workers.ts'
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
      const { faces } = await workers.describePhoto(image, 'an album')
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
    expect(await service.database.db.selectFrom('face_collections').selectAll().execute()).toEqual([])
  })

  test('the owner sees which faces cannot be searched for', async () => {
    const { body } = await owner.get(`/api/albums/${ownerKey}/coverage`)
    expect(body).toMatchObject({
      photosSearchable: 6,
      facesFound: 21,
      photosWithoutFace: [],
      photosPartlySearchable: [
        { filename: 'sample5.jpg', reason: '1 face cannot be searched for: too small' },
      ],
    })
  })

  test('a selfie finds its photo', async () => {
    const { status, body } = await owner.search(albumName, await selfie())
    expect(status).toBe(200)
    expect(body.photos[0].filename).toBe('sample1.jpg')
    expect(body.photos[0].similarity).toBeGreaterThan(95)
    expect(body.photos.length).toBeLessThan(6)
  })

  test('a selfie without a face is refused with that reason', async () => {
    const blank = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#789' } })
      .jpeg()
      .toBuffer()
    const { status, body } = await owner.search(albumName, blank)
    expect(status).toBe(422)
    expect(body.error).toMatch(/No face was found/)
  })

  test('a submitted selfie finds the same, and one without a face leads to the no-results page', async () => {
    const { body } = await owner.submitSelfie(await selfie(), { userAlbumId: ownerKey })
    const id = body.redirectTo.split('/').at(-1)
    const results = await waitUntil('the results', async () => {
      const answer = await owner.get(`/api/results/${id}`)
      return answer.body.processed && answer.body
    })
    expect(results.photos[0].filename).toBe('sample1.jpg')
    const blank = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#789' } })
      .jpeg()
      .toBuffer()
    const none = await owner.submitSelfie(blank, { userAlbumId: ownerKey })
    expect(none.body.redirectTo).toBe('/selfie/no-results')
    expect(service.logged).toEqual([])
  })

  test('a search is answered 503 while the service throttles all calls, and works again afterwards', async () => {
    rekognition.fault = () => 'ThrottlingException'
    const busy = await owner.search(albumName, await selfie())
    expect(busy.status).toBe(503)
    expect(busy.headers.get('retry-after')).toBe('5')
    rekognition.fault = () => undefined
    expect((await owner.search(albumName, await selfie())).status).toBe(200)
  })

  test('photos wait while the service is unavailable, and are indexed afterwards, each once', async () => {
    const { ownerKey: later } = await owner.createAlbum('Later')
    const failedBefore =
      rekognition.count('IndexFaces', 'break') + rekognition.count('CreateCollection', 'break')
    rekognition.fault = () => 'break'
    await owner.uploadPhotos(later, await sampleUploads([1, 2]), { totalIntendedPhotos: 2 })
    await waitUntil(
      'failed attempts',
      async () => rekognition.count('IndexFaces', 'break') >= failedBefore + 2,
    )
    // The work is done, but the answer is lost.
    rekognition.fault = (operation) => (operation === 'IndexFaces' ? 'break-after' : undefined)
    await waitUntil('a lost answer', async () => rekognition.count('IndexFaces', 'break-after') >= 2)
    rekognition.fault = () => undefined
    await waitUntil('completion', async () => {
      return (await owner.get(`/api/albums/${later}/progress`)).body.isCompleted
    })
    const { id } = await service.database.db
      .selectFrom('albums')
      .select('id')
      .where('slug', '=', 'later')
      .executeTakeFirstOrThrow()
    expect(await service.context.services.faces.countFaces(id)).toBe(6)
  })

  test('a guest who is remembered finds the same without a selfie, until the faces are erased', async () => {
    const form = async (fields: Record<string, string | Buffer>) => {
      const data = new FormData()
      for (const [name, value] of Object.entries({ albumName, ...fields }))
        data.append(name, typeof value === 'string' ? value : new Blob([new Uint8Array(value)]))
      return await owner.postForm('/api/search-in-album', data)
    }
    const first = await form({ photo: await selfie(), remember: 'true' })
    expect(first.body).toMatchObject({ canRemember: true, ticket: expect.any(String) })
    const again = await form({ ticket: first.body.ticket })
    expect(again.body.photoIds.toSorted()).toEqual(first.body.photoIds.toSorted())
    const facesIn = ({ photos }: { photos: { face: { id: string } }[] }) =>
      photos.map(({ face }) => face.id).toSorted()
    expect(facesIn(again.body)).toEqual(facesIn(first.body))

    const { db } = service.database
    const { id: albumId } = await db
      .selectFrom('albums')
      .select('id')
      .where('slug', '=', albumName)
      .executeTakeFirstOrThrow()
    const ids = await db.selectFrom('faces').select('id').where('album_id', '=', albumId).execute()
    await service.context.services.faces.removeFaces(
      albumId,
      ids.map(({ id }) => id),
    )
    const gone = await form({ ticket: first.body.ticket })
    expect([gone.status, gone.body.message]).toEqual([403, TICKET_REFUSED])
  })

  test('an erased album leaves no row, no file, no face and no collection', async () => {
    expect((await owner.delete(`/api/albums/${ownerKey}`)).body).toEqual({
      rowsRemaining: 0,
      filesRemaining: 0,
      facesRemaining: 0,
    })
    expect(await collections()).toHaveLength(1)
  })
})
