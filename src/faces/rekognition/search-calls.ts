import {
  type FaceMatch as AwsMatch,
  DetectFacesCommand,
  SearchFacesByImageCommand,
  SearchFacesCommand,
} from '@aws-sdk/client-rekognition'
import type { BoundingBox, FaceMatch, FaceQuality } from '../face-index.ts'
import { MOST_CHOICES } from '../selfie-problems.ts'
import { type CallOptions, type Calls, collectionOf } from './calls.ts'
import { boxOf, qualityOf } from './face-details.ts'
import type { SimilarityLimits } from './find-person.ts'
import { isNamed, unlessBusy } from './service-faults.ts'

/** MaxFaces of both operations. */
const FACES_PER_ANSWER = 4096

/** For calls whose answers may be missing. */
export const OPTIONAL = { atMostMs: 4_000 }

const NO_COLLECTION = 'ResourceNotFoundException'
const WRONG_PARAMETER = 'InvalidParameterException'

/** What a picture is similar to in an album. */
export interface SeenInAlbum {
  matches: FaceMatch[]
  /** The box of the face that was searched by. */
  box: BoundingBox
}

export interface DetectedFace {
  box: BoundingBox
  quality: FaceQuality
}

/** The calls of a search. They throw AppError as a face index does. */
export interface SearchCalls {
  /** Faces like the largest one of a picture.
   *  @returns undefined when the picture has no face, `no collection` when there is none */
  likePicture(
    albumId: string,
    picture: Buffer,
    limits: SimilarityLimits,
  ): Promise<SeenInAlbum | undefined | 'no collection'>
  /** Other faces like one of the album.
   *  @returns undefined when the album has no such face, or the service has no time */
  likeFace(albumId: string, faceId: string, limits: SimilarityLimits): Promise<FaceMatch[] | undefined>
  /** The faces of a picture, the largest first. */
  detectFaces(picture: Buffer, options?: CallOptions): Promise<DetectedFace[]>
}

export function createSearchCalls(calls: Calls): SearchCalls {
  return {
    async likePicture(albumId, picture, limits) {
      const command = new SearchFacesByImageCommand({
        CollectionId: collectionOf(albumId),
        Image: { Bytes: picture },
        MaxFaces: FACES_PER_ANSWER,
        FaceMatchThreshold: askedSimilarity(limits),
        QualityFilter: 'NONE',
      })
      try {
        const answer = await calls.send('search', command, { expected: [NO_COLLECTION, WRONG_PARAMETER] })
        return {
          matches: matchesOf(answer.FaceMatches, limits),
          box: boxOf(answer.SearchedFaceBoundingBox),
        }
      } catch (error) {
        if (isNamed(error, NO_COLLECTION)) return 'no collection'
        // "If no faces are detected in the input image, SearchFacesByImage returns an InvalidParameterException
        // error", as it does for a parameter against the rules. Ours always have the same form, and a decoder has made
        // the image.
        if (!isNamed(error, WRONG_PARAMETER)) throw error
        return undefined
      }
    },

    async likeFace(albumId, faceId, limits) {
      const command = new SearchFacesCommand({
        CollectionId: collectionOf(albumId),
        FaceId: faceId,
        MaxFaces: FACES_PER_ANSWER,
        FaceMatchThreshold: askedSimilarity(limits),
      })
      // The documentation does not say how it answers for an unknown face. Users report an InvalidParameterException
      // ("faceId was not found in the collection"), also for a moment after IndexFaces. Our other parameters always have
      // the same form.
      const expected = [NO_COLLECTION, WRONG_PARAMETER]
      try {
        const { FaceMatches } = await calls.send('search', command, { ...OPTIONAL, expected })
        // The examples in the documentation do not have the face itself, but nothing says that it is never there.
        return matchesOf(FaceMatches, limits).filter((match) => match.faceId !== faceId)
      } catch (error) {
        return isNamed(error, ...expected) ? undefined : unlessBusy(error)
      }
    },

    async detectFaces(picture, options) {
      const command = new DetectFacesCommand({ Image: { Bytes: picture } })
      const { FaceDetails = [] } = await calls.send('search', command, options)
      return FaceDetails.map((detail) => ({ box: boxOf(detail.BoundingBox), quality: qualityOf(detail) }))
        .sort((one, other) => areaOf(other.box) - areaOf(one.box))
        .slice(0, MOST_CHOICES)
    },
  }
}

/** A little lower than the possible limit, so that no rounding drops what that limit would keep. */
function askedSimilarity({ possible }: SimilarityLimits): number {
  return Math.max(0, possible - 1)
}

function matchesOf(matches: AwsMatch[] = [], { possible }: SimilarityLimits): FaceMatch[] {
  return matches
    .map(({ Face, Similarity }) => ({
      faceId: Face!.FaceId!,
      photoId: Face!.ExternalImageId!,
      similarity: Similarity!,
    }))
    .filter(({ similarity }) => similarity >= possible)
}

const areaOf = ({ width, height }: BoundingBox) => width * height
