import {
  CreateCollectionCommand,
  DeleteFacesCommand,
  DescribeCollectionCommand,
  DetectFacesCommand,
  type Image,
  IndexFacesCommand,
  ListCollectionsCommand,
  ListFacesCommand,
  RekognitionClient,
  type RekognitionClientConfig,
  SearchFacesByImageCommand,
  SearchFacesCommand,
} from '@aws-sdk/client-rekognition'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { randomFaults } from './faults.ts'
import { imageHash, type RecognisedFace, recogniseFromTable } from './recogniser.ts'
import { type StandIn, startStandInRekognition } from './stand-in.ts'
import { faceOf, numberedPicture } from './table-faces.ts'

const CollectionId = 'party'
const table = new Map<string, RecognisedFace[]>()
const bucket = new Map<string, Buffer>()
let service: StandIn
let client: RekognitionClient
let Bytes: Buffer

beforeEach(async () => {
  Bytes = await numberedPicture(1)
  table.set(imageHash(Bytes), [faceOf(1, 0.1), faceOf(2, 0.3), faceOf(3, 0.2)])
  service = await startStandInRekognition({
    recognise: recogniseFromTable(table),
    fetchObject: async (name, key) => bucket.get(`${name}/${key}`),
  })
  client = connect()
  await client.send(new CreateCollectionCommand({ CollectionId }))
})
afterEach(async () => {
  client.destroy()
  await service.close()
})

function connect(options: RekognitionClientConfig = {}): RekognitionClient {
  const { endpoint, region, credentials } = service
  return new RekognitionClient({ endpoint, region, credentials, maxAttempts: 1, ...options })
}

const index = (Image: Image, rest: Partial<IndexFacesCommand['input']> = {}) =>
  client.send(new IndexFacesCommand({ CollectionId, Image, ...rest }))

describe('the stand-in', () => {
  test('indexes, lists in pages, finds the largest face, and deletes', async () => {
    const { FaceRecords = [] } = await index({ Bytes }, { ExternalImageId: 'photo:1' })
    const ids = FaceRecords.map(({ Face }) => Face!.FaceId!)
    expect(FaceRecords.map(({ Face }) => Face!.BoundingBox!.Width)).toEqual([0.3, 0.2, 0.1])
    const again = await index({ Bytes }, { ExternalImageId: 'photo:1' })
    expect(again.FaceRecords?.map(({ Face }) => Face!.FaceId)).toEqual(ids)

    const first = await client.send(new ListFacesCommand({ CollectionId, MaxResults: 2 }))
    const second = await client.send(new ListFacesCommand({ CollectionId, NextToken: first.NextToken! }))
    expect([...first.Faces!, ...second.Faces!].map((face) => face.FaceId)).toEqual(ids)
    expect(second.NextToken).toBeUndefined()
    const found = await client.send(new SearchFacesByImageCommand({ CollectionId, Image: { Bytes } }))
    expect(found.FaceMatches).toMatchObject([{ Similarity: 100, Face: { FaceId: ids[0] } }])

    const FaceIds = [ids[0]!, crypto.randomUUID()]
    const deleted = await client.send(new DeleteFacesCommand({ CollectionId, FaceIds }))
    expect(deleted.DeletedFaces).toEqual([ids[0]])
    expect(deleted.UnsuccessfulFaceDeletions).toEqual([{ FaceId: FaceIds[1], Reasons: ['FACE_NOT_FOUND'] }])
    const described = await client.send(new DescribeCollectionCommand({ CollectionId }))
    expect(described).toMatchObject({ FaceCount: 2, FaceModelVersion: '7.0' })
    expect(Math.abs(described.CreationTimestamp!.getTime() - Date.now())).toBeLessThan(60_000)
    expect((await client.send(new ListCollectionsCommand({}))).CollectionIds).toEqual([CollectionId])
  })

  test('searches by a face of the collection, which is not in its own answer', async () => {
    const { FaceRecords = [] } = await index({ Bytes }, { ExternalImageId: 'photo:1' })
    const [FaceId, other] = FaceRecords.map(({ Face }) => Face!.FaceId!)
    const copy = await numberedPicture(3)
    table.set(imageHash(copy), [faceOf(2, 0.3)])
    await index({ Bytes: copy }, { ExternalImageId: 'photo:2' })
    const like = await client.send(new SearchFacesCommand({ CollectionId, FaceId }))
    expect(like).toMatchObject({
      SearchedFaceId: FaceId,
      FaceMatches: [{ Similarity: 100, Face: { ExternalImageId: 'photo:2' } }],
    })
    const all = new SearchFacesCommand({ CollectionId, FaceId, FaceMatchThreshold: 0, MaxFaces: 2 })
    expect((await client.send(all)).FaceMatches).toHaveLength(2)
    const nobody = await client.send(new SearchFacesCommand({ CollectionId, FaceId: other! }))
    expect(nobody.FaceMatches).toEqual([])
  })

  test('detects the hundred largest faces of a picture, in no order, and stores none', async () => {
    const { FaceDetails = [] } = await client.send(new DetectFacesCommand({ Image: { Bytes } }))
    expect(FaceDetails.map(({ BoundingBox }) => BoundingBox!.Width).toSorted()).toEqual([0.1, 0.2, 0.3])
    expect(FaceDetails[0]).toMatchObject({ Quality: { Sharpness: 78.5 }, Pose: { Yaw: -24.5 } })
    const crowd = await numberedPicture(4)
    table.set(
      imageHash(crowd),
      Array.from({ length: 120 }, (_, person) => faceOf(person)),
    )
    const many = await client.send(new DetectFacesCommand({ Image: { Bytes: crowd } }))
    expect(many.FaceDetails).toHaveLength(100)
    const nobody = await client.send(new DetectFacesCommand({ Image: { Bytes: await numberedPicture(50) } }))
    expect(nobody.FaceDetails).toEqual([])
    expect((await client.send(new ListFacesCommand({ CollectionId }))).Faces).toEqual([])
  })

  test('stores the faces again each time an image has no external id', async () => {
    await index({ Bytes })
    await index({ Bytes })
    expect((await client.send(new ListFacesCommand({ CollectionId }))).Faces).toHaveLength(6)
  })

  test('fetches an image from the bucket', async () => {
    bucket.set('photos/1.jpg', Bytes)
    expect((await index({ S3Object: { Bucket: 'photos', Name: '1.jpg' } })).FaceRecords).toHaveLength(3)
    await expect(index({ S3Object: { Bucket: 'photos', Name: '2.jpg' } })).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidS3ObjectException' }),
    )
  })

  test('accepts larger images from the bucket: up to 15 MB', async () => {
    const padded = (bytes: number) => Buffer.concat([Bytes], bytes)
    bucket.set('photos/large.jpg', padded(15_728_640))
    bucket.set('photos/too-large.jpg', padded(15_728_641))
    await index({ S3Object: { Bucket: 'photos', Name: 'large.jpg' } })
    await expect(index({ S3Object: { Bucket: 'photos', Name: 'too-large.jpg' } })).rejects.toThrow(
      expect.objectContaining({ name: 'ImageTooLargeException' }),
    )
  })

  test.each<[string, string, () => Promise<unknown>]>([
    ['an unknown collection', 'ResourceNotFoundException', () => index({ Bytes }, { CollectionId: 'none' })],
    [
      'a collection that already exists',
      'ResourceAlreadyExistsException',
      () => client.send(new CreateCollectionCommand({ CollectionId })),
    ],
    [
      'a colon in a collection id',
      'InvalidParameterException',
      () => client.send(new CreateCollectionCommand({ CollectionId: 'a:b' })),
    ],
    [
      'a long collection id',
      'InvalidParameterException',
      () => client.send(new CreateCollectionCommand({ CollectionId: 'a'.repeat(256) })),
    ],
    [
      'a space in an external id',
      'InvalidParameterException',
      () => index({ Bytes }, { ExternalImageId: 'a b' }),
    ],
    ['no image', 'InvalidParameterException', () => index({})],
    ['5 MB and a byte', 'ImageTooLargeException', () => index({ Bytes: Buffer.alloc(5_242_881) })],
    ['text', 'InvalidImageFormatException', () => index({ Bytes: Buffer.from('text') })],
    ['GIF', 'InvalidImageFormatException', async () => index({ Bytes: await sharp(Bytes).gif().toBuffer() })],
    ['79 pixels', 'InvalidParameterException', async () => index({ Bytes: await numberedPicture(1, 79) })],
    [
      'too many matches',
      'InvalidParameterException',
      () => client.send(new SearchFacesByImageCommand({ CollectionId, Image: { Bytes }, MaxFaces: 4097 })),
    ],
    [
      'a face that it does not have',
      'InvalidParameterException',
      () => client.send(new SearchFacesCommand({ CollectionId, FaceId: crypto.randomUUID() })),
    ],
    [
      'a face without a collection',
      'ResourceNotFoundException',
      () => client.send(new SearchFacesCommand({ CollectionId: 'none', FaceId: crypto.randomUUID() })),
    ],
    [
      'a selfie without a face',
      'InvalidParameterException',
      async () =>
        client.send(
          new SearchFacesByImageCommand({ CollectionId, Image: { Bytes: await numberedPicture(2) } }),
        ),
    ],
    [
      'too many ids',
      'InvalidParameterException',
      () =>
        client.send(
          new DeleteFacesCommand({
            CollectionId,
            FaceIds: Array.from({ length: 4097 }, () => crypto.randomUUID()),
          }),
        ),
    ],
    [
      'a wrong page',
      'InvalidPaginationTokenException',
      () => client.send(new ListFacesCommand({ CollectionId, NextToken: 'eA==' })),
    ],
  ])('refuses %s: %s', async (_, name, call) => {
    await expect(call()).rejects.toThrow(expect.objectContaining({ name }))
  })

  test('refuses a request without a signature, or signed for another region', async () => {
    const unsigned = await fetch(service.endpoint, {
      method: 'POST',
      headers: { 'x-amz-target': 'RekognitionService.ListCollections' },
      body: '{}',
    })
    expect(unsigned.status).toBe(400)
    expect(await unsigned.json()).toMatchObject({ __type: 'MissingAuthenticationTokenException' })
    const abroad = connect({ region: 'eu-west-1' })
    await expect(abroad.send(new ListCollectionsCommand({}))).rejects.toThrow(/valid region/)
    abroad.destroy()
  })

  test('limits an operation to its quota, and does not limit the others', async () => {
    service.quotas = { DescribeCollection: 3 }
    const calls = Array.from({ length: 8 }, () =>
      client.send(new DescribeCollectionCommand({ CollectionId })),
    )
    const ends = await Promise.allSettled(calls)
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.name] : []))
    expect(new Set(refused)).toEqual(new Set(['ProvisionedThroughputExceededException']))
    expect(refused.length).toBeGreaterThanOrEqual(1)
    expect(refused.length).toBeLessThanOrEqual(5)
    await client.send(new ListFacesCommand({ CollectionId }))
  })

  test('chooses faults in the given shares, and the same ones each time', () => {
    const draw = randomFaults({ ThrottlingException: 0.2, break: 0.05 })
    const drawn = Array.from({ length: 10_000 }, () => draw())
    expect(drawn.filter((fault) => fault === 'ThrottlingException').length / 10_000).toBeCloseTo(0.2, 2)
    expect(drawn.filter((fault) => fault === 'break').length / 10_000).toBeCloseTo(0.05, 2)
    const again = randomFaults({ ThrottlingException: 0.2, break: 0.05 })
    expect(drawn).toEqual(drawn.map(() => again()))
  })
})
