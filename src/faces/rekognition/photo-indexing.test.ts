import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '../../errors.ts'
import { faceOf, imageHash, numberedPicture } from '../../testing/rekognition/recogniser.ts'
import { ServiceError, type ServiceFault } from '../../testing/rekognition/service-error.ts'
import { startTableIndex, type TableIndex } from '../../testing/rekognition/table-index.ts'
import { inMemory } from '../../testing/sample-photos.ts'
import type { FaceIndex, PhotoSource } from '../face-index.ts'

const BUCKET = 'the-photos'
const MINUTES = 60_000

let album: TableIndex
let albumId: string
let service: TableIndex['service']
let index: FaceIndex
let warnings: TableIndex['logged']
let bucket: Map<string, Buffer>
/** The service's error when it reads the bucket. */
let refusal: ServiceError | undefined
let picture: Buffer
/** A picture on which the service always fails. */
let deadly: Buffer
/** A photo in the bucket. */
let photo: PhotoSource & { read: ReturnType<typeof vi.fn<() => Promise<Buffer>>> }

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  refusal = undefined
  picture = await numberedPicture(1, 800)
  bucket = new Map([['albums/1/original', picture]])
  album = await startTableIndex({
    async fetchObject(name, key) {
      if (refusal) throw refusal
      return name === BUCKET ? bucket.get(key) : undefined
    },
  })
  ;({ albumId, service, index, logged: warnings } = album)
  album.table.set(imageHash(picture), [faceOf(1), faceOf(2)])
  deadly = await album.pictureOf()
  album.table.set(imageHash(deadly), new ServiceError('InternalServerError', 'A service issue'))
  photo = { read: vi.fn(async () => picture), s3Object: { bucket: BUCKET, name: 'albums/1/original' } }
})
afterEach(async () => {
  vi.useRealTimers()
  await album.close()
})

const indexIt = (source: PhotoSource = photo, photoId: string = randomUUID()) =>
  index.indexPhoto(albumId, photoId, source)
const unreadable = () => service.count('IndexFaces', 'InvalidS3ObjectException')

describe('a photo in S3', () => {
  test('is read there by the service, and never by us', async () => {
    expect((await indexIt()).faces).toHaveLength(2)
    expect(photo.read).not.toHaveBeenCalled()
    expect(service.served.at(-1)!.bytes).toBeLessThan(picture.length / 2)
  })

  test('waits while the service is unavailable', async () => {
    service.fault = () => 'ThrottlingException'
    await expect(indexIt()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(photo.read).not.toHaveBeenCalled()
  })
})

describe('a bucket that the service cannot read', () => {
  beforeEach(() => {
    refusal = new ServiceError('InvalidS3ObjectException', 'Unable to get object metadata from S3.')
  })

  test('gets its photos sent, with one warning that says what to check', async () => {
    const photoIds = Array.from({ length: 5 }, () => randomUUID())
    const indexed = await Promise.all(photoIds.map((photoId) => indexIt(photo, photoId)))
    expect(indexed.map(({ faces }) => faces.length)).toEqual([2, 2, 2, 2, 2])
    expect(await index.countFaces(albumId)).toBe(10)
    expect(warnings).toMatchObject([
      { level: 40, msg: expect.stringMatching(/AWS_REGION.*s3:GetObject.*kms:Decrypt/) },
    ])
  })

  test('is tried again after a quarter of an hour, and used once it can be read', async () => {
    await indexIt()
    vi.advanceTimersByTime(14 * MINUTES)
    await indexIt()
    expect(unreadable()).toBe(1)
    vi.advanceTimersByTime(2 * MINUTES)
    await indexIt()
    expect(unreadable()).toBe(2)
    expect(warnings).toHaveLength(1)
    vi.advanceTimersByTime(16 * MINUTES)
    refusal = undefined
    photo.read.mockClear()
    await indexIt()
    await indexIt()
    expect(photo.read).not.toHaveBeenCalled()
    refusal = new ServiceError('InvalidS3ObjectException', 'Unable to get object metadata from S3.')
    await indexIt()
    expect(warnings).toHaveLength(2)
  })

  test('is recognised by both names of the refusal', async () => {
    refusal = new ServiceError('AccessDeniedException', 'User is not authorized to access this resource')
    expect((await indexIt()).faces).toHaveLength(2)
    expect(warnings).toHaveLength(1)
  })

  test('leaves no second copy of the faces that it gave before', async () => {
    const photoId = randomUUID()
    const cause = refusal
    refusal = undefined
    const before = await indexIt(photo, photoId)
    refusal = cause
    expect(await indexIt(photo, photoId)).toEqual(before)
    expect(unreadable()).toBe(1)
    expect(await index.countFaces(albumId)).toBe(2)
  })
})

test('an object that we cannot read either does not count as a fault of the bucket', async () => {
  const gone = new AppError('NOT_FOUND', 'This file is no longer stored')
  const erased = { read: () => Promise.reject(gone), s3Object: { bucket: BUCKET, name: 'albums/2/original' } }
  await expect(indexIt(erased)).rejects.toBe(gone)
  expect(unreadable()).toBe(1)
  await indexIt()
  expect(photo.read).not.toHaveBeenCalled()
  expect(warnings).toEqual([])
})

test('a service that refuses all our calls is reported as that, not as a fault of the bucket', async () => {
  service.fault = () => 'AccessDeniedException'
  await expect(indexIt()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(warnings).toMatchObject([{ level: 50, msg: expect.stringMatching(/check the AWS credentials/) }])
})

describe('a failure of the service', () => {
  const isBusy = { code: 'SERVICE_UNAVAILABLE' }

  /** The faults of the next requests. Later ones have none. */
  function failWith(...faults: (ServiceFault | undefined)[]): void {
    service.fault = () => faults.shift()
  }

  test('on one photo, while it works for others, counts as the fault of that photo', async () => {
    await expect(indexIt(inMemory(deadly))).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR' })
    expect(service.count('IndexFaces')).toBe(3)
    expect(await index.countFaces(albumId)).toBe(0)
    expect((await indexIt()).faces).toHaveLength(2)
  })

  test('on one photo in S3 counts the same', async () => {
    bucket.set('albums/1/original', deadly)
    photo.read.mockResolvedValue(deadly)
    await expect(indexIt()).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR' })
    expect(warnings).toEqual([])
  })

  test('on every photo is not blamed on a photo', async () => {
    service.fault = () => 'InternalServerError'
    await expect(indexIt(inMemory(deadly))).rejects.toMatchObject(isBusy)
    await expect(indexIt(inMemory(picture))).rejects.toMatchObject(isBusy)
    expect(service.count('IndexFaces', 'InternalServerError')).toBe(4)
  })

  test('from time to time is not blamed on a photo', async () => {
    failWith('InternalServerError', undefined, undefined, 'InternalServerError')
    await expect(indexIt(inMemory(picture))).rejects.toMatchObject(isBusy)
    failWith('InternalServerError', undefined, 'ThrottlingException')
    await expect(indexIt(inMemory(picture))).rejects.toMatchObject(isBusy)
  })

  test('is not blamed on a photo either when a blank image needs a second try', async () => {
    const repeating = await album.connect({ maxAttempts: 3 })
    failWith(...Array.from({ length: 4 }, () => 'InternalServerError' as const))
    await expect(repeating.indexPhoto(albumId, randomUUID(), inMemory(picture))).rejects.toMatchObject(isBusy)
    expect(service.count('IndexFaces', 'InternalServerError')).toBe(4)
    expect(service.count('IndexFaces')).toBe(1)
    await repeating.close()
  })
})
