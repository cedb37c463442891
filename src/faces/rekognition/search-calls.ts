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

export interface DetectedFace {
  box: BoundingBox
  quality: FaceQuality
}

export type SearchCalls = ReturnType<typeof createSearchCalls>

/** The calls of a search. They throw AppError as a face index does. */
export function createSearchCalls(calls: Calls) {
  return {
    /** Faces like the largest one of a picture, and the box of that one.
     *  @returns undefined when the picture has no face, `no collection` when there is none */
    async likePicture(albumId: string, picture: Buffer, { possible }: SimilarityLimits) {
      const command = new SearchFacesByImageCommand({
        CollectionId: collectionOf(albumId),
        Image: { Bytes: picture },
        MaxFaces: FACES_PER_ANSWER,
        FaceMatchThreshold: possible,
        QualityFilter: 'NONE',
      })
      try {
        const answer = await calls.send('search', command, { expected: [NO_COLLECTION, WRONG_PARAMETER] })
        return { matches: matchesOf(answer.FaceMatches), box: boxOf(answer.SearchedFaceBoundingBox) }
      } catch (error) {
        if (isNamed(error, NO_COLLECTION)) return 'no collection' as const
        // "If no faces are detected in the input image, SearchFacesByImage returns an InvalidParameterException
        // error", as it does for a parameter against the rules. Ours always have the same form, and a decoder has made
        // the image.
        if (!isNamed(error, WRONG_PARAMETER)) throw error
        return undefined
      }
    },

    /** Other faces like one of the album.
     *  @returns undefined when the album has no such face, or the service has no time */
    async likeFace(albumId: string, faceId: string, { possible }: SimilarityLimits) {
      const command = new SearchFacesCommand({
        CollectionId: collectionOf(albumId),
        FaceId: faceId,
        MaxFaces: FACES_PER_ANSWER,
        FaceMatchThreshold: possible,
      })
      // The documentation does not say how it answers for an unknown face. Users report an InvalidParameterException
      // ("faceId was not found in the collection"), also for a moment after IndexFaces. Our other parameters always have
      // the same form.
      const expected = [NO_COLLECTION, WRONG_PARAMETER]
      try {
        const { FaceMatches } = await calls.send('search', command, { ...OPTIONAL, expected })
        // The examples in the documentation do not have the face itself, but nothing says that it is never there.
        return matchesOf(FaceMatches).filter((match) => match.faceId !== faceId)
      } catch (error) {
        return isNamed(error, ...expected) ? undefined : unlessBusy(error)
      }
    },

    /** The faces of a picture, the largest first. */
    async detectFaces(picture: Buffer, options?: CallOptions): Promise<DetectedFace[]> {
      const command = new DetectFacesCommand({ Image: { Bytes: picture } })
      const { FaceDetails = [] } = await calls.send('search', command, options)
      return FaceDetails.map((detail) => ({ box: boxOf(detail.BoundingBox), quality: qualityOf(detail) }))
        .sort((one, other) => areaOf(other.box) - areaOf(one.box))
        .slice(0, MOST_CHOICES)
    },
  }
}

function matchesOf(matches: AwsMatch[] = []): FaceMatch[] {
  return matches.map(({ Face, Similarity }) => ({
    faceId: Face!.FaceId!,
    photoId: Face!.ExternalImageId!,
    similarity: Similarity!,
  }))
}

const areaOf = ({ width, height }: BoundingBox) => width * height
