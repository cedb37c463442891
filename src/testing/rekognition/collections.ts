import { randomUUID } from 'node:crypto'
import { similarityOfDistance } from '../../faces/embedded/matching/similarity.ts'
import { imageHash, type Recognise, type RecognisedFace } from './recogniser.ts'
import { type FetchObject, type RekognitionOperation, type RequestOf, readImage } from './requests.ts'
import { ServiceError } from './service-error.ts'

export interface CollectionsOptions {
  recognise: Recognise
  fetchObject?: FetchObject | undefined
  /** How many faces a collection can hold; 20 million according to "Guidelines and quotas". */
  facesPerCollection?: number | undefined
}

interface StandInFace {
  faceId: string
  imageId: string
  externalImageId: string | undefined
  imageHash: string
  face: RecognisedFace
}

interface Collection {
  createdAt: number
  /** In the order of their arrival. */
  faces: Map<string, StandInFace>
}

/** A collection keeps the model version it was created with ("Understanding model versioning", Developer Guide). */
const FACE_MODEL_VERSION = '7.0'

/** IndexFaces: "returns no more than 100 detected faces in an image". */
const INDEXED_FACES_MAX = 100

const DETECTED_FACES_MAX = 100

export type Operations = { [Name in RekognitionOperation]: (request: RequestOf<Name>) => Promise<object> }

/** Implements the operations on collections in memory. */
export function createCollections({
  recognise,
  fetchObject,
  facesPerCollection = 20_000_000,
}: CollectionsOptions): Operations {
  const collections = new Map<string, Collection>()

  function find(id: string): Collection {
    const collection = collections.get(id)
    if (!collection)
      throw new ServiceError('ResourceNotFoundException', `The collection id: ${id} does not exist`)
    return collection
  }

  return {
    async CreateCollection({ CollectionId: id }) {
      if (collections.has(id))
        throw new ServiceError('ResourceAlreadyExistsException', `The collection id: ${id} already exists`)
      collections.set(id, { createdAt: Date.now(), faces: new Map() })
      return { StatusCode: 200, CollectionArn: arnOf(id), FaceModelVersion: FACE_MODEL_VERSION }
    },

    async DeleteCollection({ CollectionId: id }) {
      find(id)
      collections.delete(id)
      return { StatusCode: 200 }
    },

    async DescribeCollection({ CollectionId: id }) {
      const { faces, createdAt } = find(id)
      return {
        FaceCount: faces.size,
        FaceModelVersion: FACE_MODEL_VERSION,
        CollectionARN: arnOf(id),
        CreationTimestamp: createdAt / 1000,
      }
    },

    async ListCollections({ MaxResults, NextToken }) {
      const { page, next } = pageOf([...collections.keys()], MaxResults, NextToken)
      return { CollectionIds: page, FaceModelVersions: page.map(() => FACE_MODEL_VERSION), NextToken: next }
    },

    async ListFaces({ CollectionId: id, MaxResults, NextToken }) {
      const { page, next } = pageOf([...find(id).faces.values()], MaxResults, NextToken)
      return { Faces: page.map(described), FaceModelVersion: FACE_MODEL_VERSION, NextToken: next }
    },

    async IndexFaces({ CollectionId: id, Image, ExternalImageId: externalImageId, MaxFaces, QualityFilter }) {
      find(id)
      const image = await readImage(Image, fetchObject)
      const found = (await recognise(image)).toSorted((one, other) => area(other) - area(one))
      // The collection may have been deleted while the image was examined.
      const { faces } = find(id)
      const good = found.filter((face) => QualityFilter === 'NONE' || !face.unindexed)
      const taken = good.slice(0, Math.min(MaxFaces ?? INDEXED_FACES_MAX, INDEXED_FACES_MAX))
      const left = [
        ...good.slice(taken.length).map((face) => ({ face, reasons: ['EXCEEDS_MAX_FACES'] })),
        ...found.filter((face) => !good.includes(face)).map((face) => ({ face, reasons: face.unindexed })),
      ]
      const hash = imageHash(image)
      // IndexFaces: "If you provide the same image, specify the same collection, and use the same external ID
      // in the IndexFaces operation, Amazon Rekognition doesn't save duplicate face metadata."
      let stored = [...faces.values()].filter(
        (face) => face.externalImageId === externalImageId && face.imageHash === hash,
      )
      if (externalImageId === undefined || stored.length === 0) {
        if (faces.size + taken.length > facesPerCollection)
          throw new ServiceError('ServiceQuotaExceededException', 'The collection is full.')
        const imageId = randomUUID()
        stored = taken.map((face) => ({
          faceId: randomUUID(),
          imageId,
          externalImageId,
          imageHash: hash,
          face,
        }))
        for (const face of stored) faces.set(face.faceId, face)
      }
      return {
        FaceRecords: stored.map((face) => ({ Face: described(face), FaceDetail: detailOf(face.face) })),
        UnindexedFaces: left.map(({ face, reasons }) => ({ Reasons: reasons, FaceDetail: detailOf(face) })),
        FaceModelVersion: FACE_MODEL_VERSION,
      }
    },

    async SearchFacesByImage({ CollectionId: id, Image, MaxFaces, FaceMatchThreshold }) {
      find(id)
      const image = await readImage(Image, fetchObject)
      const [largest] = (await recognise(image)).toSorted((one, other) => area(other) - area(one))
      if (!largest)
        throw new ServiceError(
          'InvalidParameterException',
          'There are no faces in the image. Should be at least 1.',
        )
      return {
        SearchedFaceBoundingBox: boxOf(largest),
        SearchedFaceConfidence: largest.confidence,
        FaceMatches: matchesOf(largest, find(id).faces.values(), FaceMatchThreshold, MaxFaces),
        FaceModelVersion: FACE_MODEL_VERSION,
      }
    },

    async SearchFaces({ CollectionId: id, FaceId, MaxFaces, FaceMatchThreshold }) {
      const { faces } = find(id)
      const searched = faces.get(FaceId)
      // The documentation does not say so. Users have reported this error and this sentence.
      if (!searched)
        throw new ServiceError('InvalidParameterException', 'faceId was not found in the collection.')
      const others = [...faces.values()].filter((face) => face !== searched)
      return {
        SearchedFaceId: FaceId,
        FaceMatches: matchesOf(searched.face, others, FaceMatchThreshold, MaxFaces),
        FaceModelVersion: FACE_MODEL_VERSION,
      }
    },

    async DetectFaces({ Image }) {
      const found = await recognise(await readImage(Image, fetchObject))
      // "DetectFaces detects the 100 largest faces in the image." The documentation gives no order.
      const largest = found.toSorted((one, other) => area(other) - area(one)).slice(0, DETECTED_FACES_MAX)
      return { FaceDetails: largest.reverse().map(detailOf) }
    },

    async DeleteFaces({ CollectionId: id, FaceIds }) {
      const { faces } = find(id)
      const deleted = FaceIds.filter((faceId) => faces.delete(faceId))
      return {
        DeletedFaces: deleted,
        UnsuccessfulFaceDeletions: FaceIds.filter((faceId) => !deleted.includes(faceId)).map((FaceId) => ({
          FaceId,
          Reasons: ['FACE_NOT_FOUND'],
        })),
      }
    },
  }
}

/** The most similar faces, as SearchFaces and SearchFacesByImage answer them. */
function matchesOf(
  searched: RecognisedFace,
  faces: Iterable<StandInFace>,
  threshold: number,
  most: number,
): object[] {
  return [...faces]
    .map((face) => ({ Similarity: similarityOf(searched, face.face), Face: described(face) }))
    .filter(({ Similarity }) => Similarity >= threshold)
    .sort((one, other) => other.Similarity - one.Similarity)
    .slice(0, most)
}

function pageOf<Item>(
  items: Item[],
  size: number,
  token: string | undefined,
): { page: Item[]; next: string | undefined } {
  const start = Number(token ?? 0)
  const end = start + size
  const next = end < items.length ? String(end) : undefined
  return { page: items.slice(start, end), next }
}

function described({ faceId, imageId, externalImageId, face }: StandInFace): object {
  return {
    FaceId: faceId,
    ImageId: imageId,
    ExternalImageId: externalImageId,
    BoundingBox: boxOf(face),
    Confidence: face.confidence,
    IndexFacesModelVersion: FACE_MODEL_VERSION,
  }
}

/** The default attributes of a FaceDetail, without the landmarks. */
function detailOf(face: RecognisedFace): object {
  const { sharpness, brightness, yaw, pitch, roll } = face.quality
  return {
    BoundingBox: boxOf(face),
    Confidence: face.confidence,
    Pose: { Roll: roll, Yaw: yaw, Pitch: pitch },
    Quality: { Brightness: brightness, Sharpness: sharpness },
  }
}

function boxOf({ box }: RecognisedFace): object {
  return { Left: box.left, Top: box.top, Width: box.width, Height: box.height }
}

function area({ box }: RecognisedFace): number {
  return box.width * box.height
}

function similarityOf(one: RecognisedFace, other: RecognisedFace): number {
  const squared = one.descriptor.reduce((sum, value, i) => sum + (value - other.descriptor[i]!) ** 2, 0)
  return similarityOfDistance(Math.sqrt(squared))
}

function arnOf(id: string): string {
  return `aws:rekognition:us-east-1:000000000000:collection/${id}`
}
