import {
  CreateCollectionCommand,
  DeleteCollectionCommand,
  DeleteFacesCommand,
  DescribeCollectionCommand,
  ListFacesCommand,
  type ListFacesCommandOutput,
  type RekognitionClientConfig,
} from '@aws-sdk/client-rekognition'
import { hasCode } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { FaceIndex, UnindexedReason } from '../face-index.ts'
import type { Pictures } from '../pictures.ts'
import { collectionOf, createCalls } from './calls.ts'
import { boxOf, qualityOf } from './face-details.ts'
import type { FaceRecords } from './face-record-queries.ts'
import { createPersonSearch } from './person-search.ts'
import { createPhotoIndexing } from './photo-indexing.ts'
import { isNamed } from './service-faults.ts'

export interface RekognitionOptions {
  /** Settings that differ from those the SDK finds in the environment. */
  client?: RekognitionClientConfig
  /** How many photos this process may index a second. */
  photosPerSecond: number
  pictures: Pictures
  /** Of the faces that were indexed. */
  records: FaceRecords
  log: Log
}

/** ListFaces' MaxResults. */
const FACES_PER_ANSWER = 4096
/** DeleteFaces takes 4096 ids, but users report that it also throttles by faces, at some thousands a second. */
const FACES_PER_DELETION = 1000

/** The face index on Amazon Rekognition: one collection for each album. A face's ExternalImageId is its photo's id.
 *  @throws Error when no region is configured */
export async function createRekognitionFaceIndex({
  client = {},
  photosPerSecond,
  pictures,
  records,
  log,
}: RekognitionOptions): Promise<FaceIndex> {
  const calls = await createCalls({ client, photosPerSecond, log })
  const indexPhoto = createPhotoIndexing({ calls, pictures, log })

  /** The ids of the faces of these photos. The service cannot list by ExternalImageId, so all faces are listed. */
  async function facesOf(albumId: string, photoIds: string[]): Promise<string[]> {
    const wanted = new Set<string | undefined>(photoIds)
    const found: string[] = []
    let next: string | undefined
    do {
      const page: ListFacesCommandOutput = await calls.send(
        'manage',
        new ListFacesCommand({
          CollectionId: collectionOf(albumId),
          MaxResults: FACES_PER_ANSWER,
          NextToken: next,
        }),
      )
      for (const face of page.Faces ?? []) if (wanted.has(face.ExternalImageId)) found.push(face.FaceId!)
      next = page.NextToken
    } while (next)
    return found
  }

  async function deleteFaces(albumId: string, faceIds: string[]): Promise<void> {
    for (let start = 0; start < faceIds.length; start += FACES_PER_DELETION) {
      const FaceIds = faceIds.slice(start, start + FACES_PER_DELETION)
      const { UnsuccessfulFaceDeletions = [] } = await calls.send(
        'manage',
        new DeleteFacesCommand({ CollectionId: collectionOf(albumId), FaceIds }),
      )
      const kept = UnsuccessfulFaceDeletions.filter(({ Reasons }) => !Reasons?.includes('FACE_NOT_FOUND'))
      if (kept.length > 0)
        throw new Error(`Rekognition kept ${kept.length} faces: ${kept.flatMap((one) => one.Reasons ?? [])}`)
    }
  }

  // The documentation does not say that FaceCount shows a change immediately. But a deleted collection is gone, and an
  // erasure that counts more than 0 counts again later.
  const countFaces = (albumId: string): Promise<number> =>
    unlessMissing(0, async () => {
      const command = new DescribeCollectionCommand({ CollectionId: collectionOf(albumId) })
      const { FaceCount = 0 } = await calls.send('manage', command)
      return FaceCount
    })

  return {
    engine: 'rekognition',

    async createCollection(albumId) {
      try {
        await calls.send('manage', new CreateCollectionCommand({ CollectionId: collectionOf(albumId) }))
      } catch (error) {
        if (!isNamed(error, 'ResourceAlreadyExistsException')) throw error
      }
    },

    async indexPhoto(albumId, photoId, photo, { isRepeat = false } = {}) {
      const target = { CollectionId: collectionOf(albumId), ExternalImageId: photoId }
      const { FaceRecords = [], UnindexedFaces = [] } = await indexPhoto(target, photo)
      const faces = FaceRecords.map(({ Face, FaceDetail }) => ({
        faceId: Face!.FaceId!,
        box: boxOf(Face!.BoundingBox),
        confidence: Face!.Confidence!,
        quality: qualityOf(FaceDetail),
      }))
      if (isRepeat) {
        // The service stores nothing twice for the same bytes, whether it reads them in S3 or receives them. But the
        // bytes may differ from those of the last time.
        const current = new Set(faces.map((face) => face.faceId))
        const stored = await facesOf(albumId, [photoId])
        await deleteFaces(
          albumId,
          stored.filter((faceId) => !current.has(faceId)),
        )
      }
      return {
        faces,
        unindexed: UnindexedFaces.map(({ Reasons = [], FaceDetail }) => ({
          reasons: Reasons as UnindexedReason[],
          box: boxOf(FaceDetail?.BoundingBox),
        })),
      }
    },

    search: createPersonSearch({ calls, pictures, records }),

    removeFaces: (albumId, faceIds) => unlessMissing(undefined, () => deleteFaces(albumId, faceIds)),

    async describePerson() {
      return undefined
    },

    removePhotos: (albumId, photoIds) =>
      unlessMissing(undefined, async () => {
        if (photoIds.length > 0) await deleteFaces(albumId, await facesOf(albumId, photoIds))
      }),

    deleteCollection: (albumId) =>
      unlessMissing(undefined, async () => {
        await calls.send('manage', new DeleteCollectionCommand({ CollectionId: collectionOf(albumId) }))
      }),

    // Amazon holds the faces.
    prepare() {},

    countFaces,

    // The service also answers for a collection that does not exist.
    async check() {
      await countFaces('no-album')
    },

    async close() {
      calls.close()
    },
  }
}

/** Runs calls for which a missing collection is no error. */
async function unlessMissing<Answer>(otherwise: Answer, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) return otherwise
    throw error
  }
}
