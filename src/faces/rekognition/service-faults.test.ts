import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faceOf } from '../../testing/rekognition/recogniser.ts'
import type { ServiceFault } from '../../testing/rekognition/service-error.ts'
import { startTableIndex, type TableIndex } from '../../testing/rekognition/table-index.ts'
import { inMemory } from '../../testing/sample-photos.ts'

let album: TableIndex
let party: Buffer
let wall: Buffer

beforeEach(async () => {
  album = await startTableIndex({ facesPerCollection: 3 })
  party = await album.pictureOf(faceOf(1), faceOf(2))
  wall = await album.pictureOf()
})
afterEach(() => album.close())

const indexParty = () => album.indexPhoto(party)
const searchBy = (image: Buffer) => album.index.search([album.albumId], { selfies: [{ image }] })

describe('a passing fault is reported as unavailable, after one call', () => {
  test.each<ServiceFault>([
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'InternalServerError',
    'break',
  ])('%s', async (fault) => {
    album.service.fault = () => fault
    const passing = { code: 'SERVICE_UNAVAILABLE', retryAfter: 5 }
    await expect(indexParty()).rejects.toMatchObject(passing)
    await expect(searchBy(party)).rejects.toMatchObject(passing)
    await expect(album.index.countFaces(album.albumId)).rejects.toMatchObject(passing)
    await expect(album.index.deleteCollection(album.albumId)).rejects.toMatchObject(passing)
    expect(album.service.served.slice(1).map((request) => request.operation)).toEqual([
      'IndexFaces',
      // A blank image, to see whether it is the photo.
      ...(fault === 'InternalServerError' ? ['IndexFaces'] : []),
      'SearchFacesByImage',
      'DescribeCollection',
      'DeleteCollection',
    ])
    expect(album.logged).toEqual([])
  })

  test('a service that does not answer', async () => {
    album.service.fault = () => 'hang'
    const impatient = await album.connect({
      requestHandler: { requestTimeout: 100, throwOnRequestTimeout: true },
    })
    await expect(impatient.indexPhoto(album.albumId, 'party', inMemory(party))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
    await impatient.close()
  })
})

describe('what a maintainer has to fix is logged', () => {
  test.each<ServiceFault>([
    'UnrecognizedClientException',
    'InvalidSignatureException',
    'AccessDeniedException',
  ])('%s', async (fault) => {
    album.service.fault = () => fault
    await expect(indexParty()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(album.logged).toMatchObject([
      { level: 50, msg: expect.stringMatching(/check the AWS credentials/) },
    ])
  })

  test('a full collection', async () => {
    await indexParty()
    await expect(indexParty()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(album.logged).toMatchObject([{ level: 50, msg: expect.stringMatching(/higher quota/) }])
  })
})

describe('a picture that the service does not take', () => {
  test.each<ServiceFault>([
    'InvalidImageFormatException',
    'ImageTooLargeException',
    'InvalidParameterException',
  ])('%s is the fault of a photo', async (fault) => {
    album.service.fault = () => fault
    await expect(indexParty()).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      message: 'This picture could not be read. It may be damaged.',
    })
  })

  test('without a face is one in which none was found, although the service says that a parameter is wrong', async () => {
    await expect(searchBy(wall)).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      message: expect.stringMatching(/^No face was found/),
    })
    expect(album.service.count('SearchFacesByImage', 'InvalidParameterException')).toBe(1)
  })
})
