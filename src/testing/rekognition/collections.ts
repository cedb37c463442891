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
  externalImageId: string | undefined
  imageHash: string
  face: RecognisedFace
}

type Operations = { [Name in RekognitionOperation]: (request: RequestOf<Name>) => Promise<object> }

/** Implements the operations on collections in memory. Of the answers it has what Inframe reads. */
export function createCollections({
  recognise,
  fetchObject,
  facesPerCollection = 20_000_000,
}: CollectionsOptions): Operations {
  /** The faces of each collection, in the order of their arrival. */
  const collections = new Map<string, Map<string, StandInFace>>()

  function find(id: string): Map<string, StandInFace> {
    const faces = collections.get(id)
    if (!faces) throw new ServiceError('ResourceNotFoundException', `The collection id: ${id} does not exist`)
    return faces
  }
  const largestFirst = async (image: Buffer) =>
    (await recognise(image)).toSorted((one, other) => area(other) - area(one))

  return {
    async CreateCollection({ CollectionId: id }) {
      if (collections.has(id))
        throw new ServiceError('ResourceAlreadyExistsException', `The collection id: ${id} already exists`)
      collections.set(id, new Map())
      return {}
    },

    async DeleteCollection({ CollectionId: id }) {
      find(id)
      collections.delete(id)
      return {}
    },

    async DescribeCollection({ CollectionId: id }) {
      return { FaceCount: find(id).size }
    },

    async ListCollections() {
      return { CollectionIds: [...collections.keys()] }
    },

    async ListFaces({ CollectionId: id, MaxResults, NextToken }) {
      const faces = [...find(id).values()]
      const start = Number(NextToken ?? 0)
      const end = start + MaxResults
      const next = end < faces.length ? String(end) : undefined
      return { Faces: faces.slice(start, end).map(described), NextToken: next }
    },

    async IndexFaces({ CollectionId: id, Image, ExternalImageId: externalImageId, QualityFilter }) {
      find(id)
      const image = await readImage(Image, fetchObject)
      const found = await largestFirst(image)
      // The collection may have been deleted while the image was examined.
      const faces = find(id)
      const taken = found.filter((face) => QualityFilter === 'NONE' || !face.unindexed)
      const left = found.filter((face) => !taken.includes(face))
      const hash = imageHash(image)
      // IndexFaces: "If you provide the same image, specify the same collection, and use the same external ID
      // in the IndexFaces operation, Amazon Rekognition doesn't save duplicate face metadata."
      let stored = [...faces.values()].filter(
        (face) => face.externalImageId === externalImageId && face.imageHash === hash,
      )
      if (externalImageId === undefined || stored.length === 0) {
        if (faces.size + taken.length > facesPerCollection)
          throw new ServiceError('ServiceQuotaExceededException', 'The collection is full.')
        stored = taken.map((face) => ({ faceId: randomUUID(), externalImageId, imageHash: hash, face }))
        for (const face of stored) faces.set(face.faceId, face)
      }
      return {
        FaceRecords: stored.map((face) => ({ Face: described(face), FaceDetail: detailOf(face.face) })),
        UnindexedFaces: left.map((face) => ({ Reasons: face.unindexed, FaceDetail: detailOf(face) })),
      }
    },

    async SearchFacesByImage({ CollectionId: id, Image, MaxFaces, FaceMatchThreshold }) {
      find(id)
      const [largest] = await largestFirst(await readImage(Image, fetchObject))
      if (!largest)
        throw new ServiceError(
          'InvalidParameterException',
          'There are no faces in the image. Should be at least 1.',
        )
      return {
        SearchedFaceBoundingBox: boxOf(largest),
        FaceMatches: matchesOf(largest, find(id).values(), FaceMatchThreshold, MaxFaces),
      }
    },

    async SearchFaces({ CollectionId: id, FaceId, MaxFaces, FaceMatchThreshold }) {
      const faces = find(id)
      const searched = faces.get(FaceId)
      // The documentation does not say so. Users have reported this error and this sentence.
      if (!searched)
        throw new ServiceError('InvalidParameterException', 'faceId was not found in the collection.')
      const others = [...faces.values()].filter((face) => face !== searched)
      return { FaceMatches: matchesOf(searched.face, others, FaceMatchThreshold, MaxFaces) }
    },

    async DetectFaces({ Image }) {
      const largest = await largestFirst(await readImage(Image, fetchObject))
      // The documentation gives no order.
      return { FaceDetails: largest.reverse().map(detailOf) }
    },

    async DeleteFaces({ CollectionId: id, FaceIds }) {
      const faces = find(id)
      const missing = FaceIds.filter((faceId) => !faces.delete(faceId))
      const failures = missing.map((FaceId) => ({ FaceId, Reasons: ['FACE_NOT_FOUND'] }))
      return { UnsuccessfulFaceDeletions: failures }
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

function described({ faceId, externalImageId, face }: StandInFace): object {
  return {
    FaceId: faceId,
    ExternalImageId: externalImageId,
    BoundingBox: boxOf(face),
    Confidence: face.confidence,
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

const boxOf = ({ box }: RecognisedFace) => ({
  ...{ Left: box.left, Top: box.top, Width: box.width, Height: box.height },
})

const area = ({ box }: RecognisedFace) => box.width * box.height

function similarityOf(one: RecognisedFace, other: RecognisedFace): number {
  const squared = one.descriptor.reduce((sum, value, i) => sum + (value - other.descriptor[i]!) ** 2, 0)
  return similarityOfDistance(Math.sqrt(squared))
}
