import {
  type Image,
  IndexFacesCommand,
  type IndexFacesCommandInput,
  type IndexFacesCommandOutput,
} from '@aws-sdk/client-rekognition'
import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { BLANK_PICTURE } from '../blank-picture.ts'
import { serviceBusy } from '../errors.ts'
import type { PhotoSource } from '../face-index.ts'
import type { Pictures } from '../pictures.ts'
import type { Calls } from './calls.ts'
import { isNamed } from './service-faults.ts'

/** IndexFaces takes at most 100 faces an image. */
const FACES_PER_PHOTO = 100

/** Ms until the service has to read photos in S3 again, after it could not read one. */
const BUCKET_RETRY_MS = 15 * 60_000

/** "Amazon Rekognition is unable to access the S3 object specified in the request": it is in another region, or
 *  the caller may not read it (IndexFaces and S3Object in the API Reference). "You are not authorized to perform
 *  the action" may mean the object, or IndexFaces, and then the bytes are refused, too. */
const UNREADABLE = ['InvalidS3ObjectException', 'AccessDeniedException']

/** "Amazon Rekognition experienced a service issue." */
const FAILED = 'InternalServerError'

/** How many blank images the service has to index, each at the first try, before a photo counts as the cause of a
 *  failure. A service that fails on every second call sometimes fails five times in a row on a good photo. It then
 *  hardly indexes all blank images. */
const BLANKS = 3

/** The collection, and whose faces they are. */
type Target = Pick<IndexFacesCommandInput, 'CollectionId' | 'ExternalImageId'>

/** Lets the service read photos in Amazon S3 where it can, so their bytes never pass through this process, and sends
 *  the bytes of all others. */
export function createPhotoIndexing(options: {
  calls: Calls
  pictures: Pictures
  log: Log
}): (target: Target, photo: PhotoSource) => Promise<IndexFacesCommandOutput> {
  const { calls, pictures, log } = options
  /** The performance.now() at which the service could not read a photo that we could read. */
  let unreadableAt: number | undefined

  const index = (target: Target, Image: Image, ...expected: string[]) =>
    calls.send(
      'index',
      new IndexFacesCommand({ ...target, Image, MaxFaces: FACES_PER_PHOTO, QualityFilter: 'AUTO' }),
      { expected },
    )

  async function indexBytes(target: Target, photo: PhotoSource) {
    const Bytes = await pictures.upright(await photo.read(), 'index')
    try {
      return await index(target, { Bytes }, FAILED)
    } catch (cause) {
      if (!isNamed(cause, FAILED)) throw cause
      await indexBlanks(target)
      throw new AppError('INTERNAL_SERVER_ERROR', 'Amazon Rekognition fails on this photo', { cause })
    }
  }

  /** Makes sure that the service works. Blank images leave nothing in the collection. */
  async function indexBlanks(target: Target): Promise<void> {
    for (let blank = 0; blank < BLANKS; blank++) {
      const { $metadata } = await index(target, { Bytes: BLANK_PICTURE })
      if ($metadata.attempts !== 1) throw serviceBusy()
    }
  }

  function noteUnreadable(fault: unknown): void {
    if (unreadableAt === undefined)
      log.warn(
        { err: fault },
        'Amazon Rekognition cannot read the photos in the bucket, so each is sent to it, which is slower. Check that AWS_REGION is the region of the bucket, and that nothing (IAM, the policy of the bucket, that of its KMS key) denies s3:GetObject and kms:Decrypt',
      )
    unreadableAt = performance.now()
  }

  return async (target, photo) => {
    const skipsBucket = unreadableAt !== undefined && performance.now() - unreadableAt < BUCKET_RETRY_MS
    if (!photo.s3Object || skipsBucket) return await indexBytes(target, photo)
    const { bucket, name } = photo.s3Object
    try {
      const answer = await index(target, { S3Object: { Bucket: bucket, Name: name } }, ...UNREADABLE, FAILED)
      unreadableAt = undefined
      return answer
    } catch (fault) {
      if (!isNamed(fault, ...UNREADABLE, FAILED)) throw fault
      // If this fails, too, the bucket is not the cause: the album may have been erased, for example.
      const sent = await indexBytes(target, photo)
      if (!isNamed(fault, FAILED)) noteUnreadable(fault)
      return sent
    }
  }
}
