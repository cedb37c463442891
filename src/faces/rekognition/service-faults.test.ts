import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../log.ts'
import { indexOn } from '../../testing/rekognition/index-on.ts'
import {
  faceOf,
  imageHash,
  numberedPicture,
  type RecognisedFace,
  recogniseFromTable,
} from '../../testing/rekognition/recogniser.ts'
import type { ServiceFault } from '../../testing/rekognition/service-error.ts'
import { type StandIn, startStandInRekognition } from '../../testing/rekognition/stand-in.ts'
import { inMemory } from '../../testing/sample-photos.ts'
import type { FaceIndex } from '../face-index.ts'
import type { RekognitionOptions } from './rekognition-face-index.ts'

const albumId = randomUUID()
const table = new Map<string, RecognisedFace[]>()
let service: StandIn
let index: FaceIndex
let logged: { level: number; msg: string }[]
let party: Buffer
let wall: Buffer

beforeEach(async () => {
  party = await numberedPicture(1)
  wall = await numberedPicture(2)
  table.set(imageHash(party), [faceOf(1), faceOf(2)])
  service = await startStandInRekognition({ recognise: recogniseFromTable(table), facesPerCollection: 3 })
  logged = []
  index = await connect()
  await index.createCollection(albumId)
})
afterEach(async () => {
  await index.close()
  await service.close()
})

const connect = (client: RekognitionOptions['client'] = {}) =>
  indexOn(service, {
    client,
    log: createLog('warn', { write: (line) => void logged.push(JSON.parse(line)) }),
  })

const indexParty = (faces = index) => faces.indexPhoto(albumId, randomUUID(), inMemory(party))

describe('a passing fault is reported as unavailable, after one call', () => {
  test.each<ServiceFault>([
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'InternalServerError',
    'break',
  ])('%s', async (fault) => {
    service.fault = () => fault
    const passing = { code: 'SERVICE_UNAVAILABLE', retryAfter: 5 }
    await expect(indexParty()).rejects.toMatchObject(passing)
    await expect(index.search([albumId], { selfies: [{ image: party }] })).rejects.toMatchObject(passing)
    await expect(index.countFaces(albumId)).rejects.toMatchObject(passing)
    await expect(index.deleteCollection(albumId)).rejects.toMatchObject(passing)
    expect(service.served.slice(1).map((request) => request.operation)).toEqual([
      'IndexFaces',
      // A blank image, to see whether it is the photo.
      ...(fault === 'InternalServerError' ? ['IndexFaces'] : []),
      'SearchFacesByImage',
      'DescribeCollection',
      'DeleteCollection',
    ])
    expect(logged).toEqual([])
  })

  test('a service that does not answer', async () => {
    service.fault = () => 'hang'
    const impatient = await connect({ requestHandler: { requestTimeout: 100, throwOnRequestTimeout: true } })
    await expect(indexParty(impatient)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await impatient.close()
  })
})

describe('what a maintainer has to fix is logged', () => {
  test.each<ServiceFault>([
    'UnrecognizedClientException',
    'InvalidSignatureException',
    'AccessDeniedException',
  ])('%s', async (fault) => {
    service.fault = () => fault
    await expect(indexParty()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(logged).toMatchObject([{ level: 50, msg: expect.stringMatching(/check the AWS credentials/) }])
  })

  test('a full collection', async () => {
    await indexParty()
    await expect(indexParty()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(logged).toMatchObject([{ level: 50, msg: expect.stringMatching(/higher quota/) }])
  })
})

describe('a picture that the service does not take', () => {
  test.each<ServiceFault>([
    'InvalidImageFormatException',
    'ImageTooLargeException',
    'InvalidParameterException',
  ])('%s is the fault of a photo', async (fault) => {
    service.fault = () => fault
    await expect(indexParty()).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      message: 'This picture could not be read. It may be damaged.',
    })
  })

  test('without a face is one in which none was found, although the service says that a parameter is wrong', async () => {
    await expect(index.search([albumId], { selfies: [{ image: wall }] })).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      message: expect.stringMatching(/^No face was found/),
    })
    expect(service.count('SearchFacesByImage', 'InvalidParameterException')).toBe(1)
  })
})
