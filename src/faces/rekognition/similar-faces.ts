import {
  type FaceMatch as AwsMatch,
  SearchFacesByImageCommand,
  SearchFacesCommand,
} from '@aws-sdk/client-rekognition'
import type { Log } from '../../log.ts'
import { unreadablePicture } from '../errors.ts'
import type { BoundingBox, FaceMatch } from '../face-index.ts'
import type { Pictures } from '../pictures.ts'
import type { CallOptions, Calls } from './calls.ts'
import { collectionOf } from './collections.ts'
import { boxOf } from './face-details.ts'
import type { SimilarityLimits } from './find-person.ts'
import { isNamed, translateFault } from './service-faults.ts'

/** MaxFaces of both operations. */
const FACES_PER_ANSWER = 4096

/** What a picture is similar to in an album. */
export interface SeenInAlbum {
  matches: FaceMatch[]
  /** The box of the face that was searched by. */
  box: BoundingBox
}

/** The two ways to search a collection. */
export interface SimilarFaces {
  /** Faces like the largest one of a picture.
   *  @returns undefined when the picture has no face, `no collection` when there is none
   *  @throws AppError as a face index does */
  toPicture(
    albumId: string,
    picture: Buffer,
    limits: SimilarityLimits,
  ): Promise<SeenInAlbum | undefined | 'no collection'>
  /** Other faces like one of the album.
   *  @returns undefined when the album has no such face
   *  @throws AppError as a face index does */
  toFace(
    albumId: string,
    faceId: string,
    limits: SimilarityLimits,
    options?: CallOptions,
  ): Promise<FaceMatch[] | undefined>
}

export function createSimilarFaces(options: { calls: Calls; pictures: Pictures; log: Log }): SimilarFaces {
  const { calls, pictures, log } = options
  return {
    async toPicture(albumId, picture, limits) {
      try {
        const { FaceMatches, SearchedFaceBoundingBox } = await calls.send('search', (client, options) =>
          client.send(
            new SearchFacesByImageCommand({
              CollectionId: collectionOf(albumId),
              Image: { Bytes: picture },
              MaxFaces: FACES_PER_ANSWER,
              FaceMatchThreshold: askedSimilarity(limits),
              QualityFilter: 'NONE',
            }),
            options,
          ),
        )
        return { matches: matchesOf(FaceMatches, limits), box: boxOf(SearchedFaceBoundingBox) }
      } catch (error) {
        if (isNamed(error, 'ResourceNotFoundException')) return 'no collection'
        // "If no faces are detected in the input image, SearchFacesByImage returns an InvalidParameterException
        // error", as it does for a parameter against the rules. Ours always have the same form, and the image has
        // a type and size that it takes. So when the whole image can be read, it has no face.
        if (!isNamed(error, 'InvalidParameterException')) throw translateFault(error, log)
        if (!(await pictures.isReadable(picture, 'view'))) throw unreadablePicture(error)
        return undefined
      }
    },

    async toFace(albumId, faceId, limits, callOptions) {
      const command = new SearchFacesCommand({
        CollectionId: collectionOf(albumId),
        FaceId: faceId,
        MaxFaces: FACES_PER_ANSWER,
        FaceMatchThreshold: askedSimilarity(limits),
      })
      try {
        const { FaceMatches } = await calls.send(
          'search',
          (client, options) => client.send(command, options),
          callOptions,
        )
        // The examples in the documentation do not have the face itself, but nothing says that it is never there.
        return matchesOf(FaceMatches, limits).filter((match) => match.faceId !== faceId)
      } catch (error) {
        // The documentation does not say how it answers for an unknown face. Users report an InvalidParameterException
        // ("faceId was not found in the collection"), also for a moment after IndexFaces. Our other parameters always have
        // the same form.
        if (isNamed(error, 'InvalidParameterException', 'ResourceNotFoundException')) return undefined
        throw translateFault(error, log)
      }
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
