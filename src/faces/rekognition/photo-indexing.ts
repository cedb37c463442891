import type {
  Image,
  IndexFacesCommandInput,
  IndexFacesCommandOutput,
  S3Object,
} from '@aws-sdk/client-rekognition'
import type { Log } from '../../log.ts'
import type { PhotoSource } from '../face-index.ts'
import { isNamed, meaningOf } from './service-faults.ts'
import { uprightImage } from './upright-image.ts'

/** IndexFaces: no more than 100 faces an image. */
const FACES_PER_PHOTO = 100

/** Ms for which the service is not asked to read photos itself after it could not. */
const REST_MS = 15 * 60_000

/** "Amazon Rekognition is unable to access the S3 object specified in the request": it lies in another region, or
 *  whoever calls may not read it (IndexFaces and S3Object in the API Reference). "You are not authorized to perform
 *  the action" may mean the object, or IndexFaces, and then the bytes are refused, too. */
const UNREAD = ['InvalidS3ObjectException', 'AccessDeniedException']

/** The collection, and whose faces they are. */
export type Target = Pick<IndexFacesCommandInput, 'CollectionId' | 'ExternalImageId'>

/** Indexes photos out of Amazon S3 where the service can read them, so that their bytes never pass through here, and
 *  all others by their bytes.
 *  @param options.indexFaces throws what the service says */
export function createPhotoIndexing(options: {
  indexFaces: (input: IndexFacesCommandInput) => Promise<IndexFacesCommandOutput>
  log: Log
}): (target: Target, photo: PhotoSource) => Promise<IndexFacesCommandOutput> {
  const { indexFaces, log } = options
  /** As performance.now() tells it, when the service could not read a photo that we could. */
  let unreadAt: number | undefined

  const index = (target: Target, Image: Image) =>
    indexFaces({ ...target, Image, MaxFaces: FACES_PER_PHOTO, QualityFilter: 'AUTO' })

  /** @returns the service's refusal when it cannot read the object */
  async function byReference(target: Target, object: S3Object) {
    try {
      const answer = await index(target, { S3Object: object })
      unreadAt = undefined
      return { answer }
    } catch (error) {
      if (isNamed(error, ...UNREAD)) return { refusal: error }
      throw meaningOf(error, log)
    }
  }

  async function byBytes(target: Target, photo: PhotoSource) {
    const Bytes = await uprightImage(await photo.read())
    try {
      return await index(target, { Bytes })
    } catch (error) {
      throw meaningOf(error, log)
    }
  }

  function rest(refusal: unknown): void {
    if (unreadAt === undefined)
      log.warn(
        { err: refusal },
        'Amazon Rekognition cannot read the photos in the bucket, so each is sent to it, which is slower: check that AWS_REGION is the region of the bucket, and that nothing (IAM, the policy of the bucket, that of its KMS key) denies s3:GetObject and kms:Decrypt',
      )
    unreadAt = performance.now()
  }

  return async (target, photo) => {
    const isResting = unreadAt !== undefined && performance.now() - unreadAt < REST_MS
    if (!photo.s3Object || isResting) return await byBytes(target, photo)
    const { bucket, name } = photo.s3Object
    const { answer, refusal } = await byReference(target, { Bucket: bucket, Name: name })
    if (answer) return answer
    // What fails here, too, says nothing of the bucket: an erased album's photos are not there, for instance.
    const sent = await byBytes(target, photo)
    rest(refusal)
    return sent
  }
}
