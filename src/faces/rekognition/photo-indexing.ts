import {
  type Image,
  IndexFacesCommand,
  type IndexFacesCommandInput,
  type IndexFacesCommandOutput,
  type RekognitionClient,
  type S3Object,
} from '@aws-sdk/client-rekognition'
import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { blankPicture } from '../blank-picture.ts'
import type { PhotoSource } from '../face-index.ts'
import type { Governor } from './governor.ts'
import { isNamed, meaningOf } from './service-faults.ts'
import { uprightImage } from './upright-image.ts'

/** IndexFaces takes at most 100 faces an image. */
const FACES_PER_PHOTO = 100

/** Ms until the service is asked to read photos in S3 again, after it could not read one. */
const REST_MS = 15 * 60_000

/** "Amazon Rekognition is unable to access the S3 object specified in the request": it is in another region, or
 *  the caller may not read it (IndexFaces and S3Object in the API Reference). "You are not authorized to perform
 *  the action" may mean the object, or IndexFaces, and then the bytes are refused, too. */
const UNREAD = ['InvalidS3ObjectException', 'AccessDeniedException']

/** "Amazon Rekognition experienced a service issue." */
const FAILED = 'InternalServerError'

/** Blank images that the service has to index, each without a repetition, before a photo counts as the cause of its
 *  failure. A service that fails every second time sometimes fails five times in a row over any photo, but then hardly
 *  indexes all of these. */
const BLANKS = 3

/** The collection, and whose faces they are. */
type Target = Pick<IndexFacesCommandInput, 'CollectionId' | 'ExternalImageId'>

/** Lets the service read photos in Amazon S3 where it can, so their bytes never pass through this process, and sends
 *  the bytes of all others. */
export function createPhotoIndexing(options: {
  client: RekognitionClient
  governor: Governor
  log: Log
}): (target: Target, photo: PhotoSource) => Promise<IndexFacesCommandOutput> {
  const { client, governor, log } = options
  /** The performance.now() at which the service could not read a photo that we could read. */
  let unreadAt: number | undefined

  const send = (target: Target, Image: Image, abortSignal: AbortSignal) =>
    client.send(
      new IndexFacesCommand({ ...target, Image, MaxFaces: FACES_PER_PHOTO, QualityFilter: 'AUTO' }),
      { abortSignal },
    )

  const index = (target: Target, image: Image) =>
    governor.run('index', (signal) => send(target, image, signal))

  /** @returns the fault when the service cannot read the object, or fails on it */
  async function byReference(target: Target, object: S3Object) {
    try {
      const answer = await index(target, { S3Object: object })
      unreadAt = undefined
      return { answer }
    } catch (error) {
      if (isNamed(error, ...UNREAD, FAILED)) return { fault: error }
      throw meaningOf(error, log)
    }
  }

  async function byBytes(target: Target, photo: PhotoSource) {
    const Bytes = await uprightImage(await photo.read())
    try {
      return await index(target, { Bytes })
    } catch (error) {
      if (!isNamed(error, FAILED)) throw meaningOf(error, log)
      await indexBlanks(target)
      throw new AppError('INTERNAL_SERVER_ERROR', 'Amazon Rekognition fails on this photo', {
        cause: error,
      })
    }
  }

  /** Makes sure that the service works. Blank images leave nothing in the collection. */
  async function indexBlanks(target: Target): Promise<void> {
    const Bytes = await blankPicture()
    const indexAtOnce = async (signal: AbortSignal) => {
      try {
        await send(target, { Bytes }, signal)
      } catch (error) {
        // The governor does not repeat an AppError.
        throw isNamed(error, FAILED) ? meaningOf(error, log) : error
      }
    }
    try {
      for (let blank = 0; blank < BLANKS; blank++) await governor.run('index', indexAtOnce)
    } catch (error) {
      throw meaningOf(error, log)
    }
  }

  function rest(fault: unknown): void {
    if (unreadAt === undefined)
      log.warn(
        { err: fault },
        'Amazon Rekognition cannot read the photos in the bucket, so each is sent to it, which is slower. Check that AWS_REGION is the region of the bucket, and that nothing (IAM, the policy of the bucket, that of its KMS key) denies s3:GetObject and kms:Decrypt',
      )
    unreadAt = performance.now()
  }

  return async (target, photo) => {
    const isResting = unreadAt !== undefined && performance.now() - unreadAt < REST_MS
    if (!photo.s3Object || isResting) return await byBytes(target, photo)
    const { bucket, name } = photo.s3Object
    const { answer, fault } = await byReference(target, { Bucket: bucket, Name: name })
    if (answer) return answer
    // If this fails, too, the bucket is not the cause: the album may have been erased, for example.
    const sent = await byBytes(target, photo)
    if (!isNamed(fault, FAILED)) rest(fault)
    return sent
  }
}
