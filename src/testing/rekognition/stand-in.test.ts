import {
  CreateCollectionCommand,
  DeleteFacesCommand,
  DescribeCollectionCommand,
  type Image,
  IndexFacesCommand,
  ListCollectionsCommand,
  ListFacesCommand,
  RekognitionClient,
  type RekognitionClientConfig,
  SearchFacesByImageCommand,
  SearchFacesCommand,
} from '@aws-sdk/client-rekognition'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
})
