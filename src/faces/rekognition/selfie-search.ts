import { type RekognitionClient, SearchFacesByImageCommand } from '@aws-sdk/client-rekognition'
import type { Log } from '../../log.ts'
import { bestOfPhotos } from '../best-of-photos.ts'
import { noFaceFound, unreadablePicture } from '../errors.ts'
import type { BoundingBox, FaceMatch, FoundPerson, PersonSearch, SelfieFaces } from '../face-index.ts'
import { collectionOf, unlessMissing } from './collections.ts'
import { boxOf } from './face-details.ts'
import type { Governor } from './governor.ts'
import type { Pictures } from './pictures.ts'
import { isNamed, translateFault } from './service-faults.ts'

/** SearchFacesByImage's MaxFaces. */
const FACES_PER_ANSWER = 4096
/** The lowest similarity that the service is asked for. It is low, because our threshold decides, but high enough
 *  that an answer does not list the whole album. */
const ASKED_SIMILARITY = 50

/** What a selfie finds in an album. */
interface Seen {
  matches: FaceMatch[]
  /** Of the face that was searched by. */
  box: BoundingBox
}

/** What a selfie finds, by album. Undefined: the selfie has no face. Without an entry: the album has no collection. */
export type SelfieAnswer = Map<string, Seen | undefined>

interface SelfieSearchOptions {
  client: RekognitionClient
  governor: Governor
  pictures: Pictures
  log: Log
}

/** @returns a function that searches albums by the largest face of a picture. It throws AppError as a face index does, but a
 *  picture without a face is no error */
export function createSelfieSearch({ client, governor, pictures, log }: SelfieSearchOptions) {
  /** @returns the entry of the answer, if there is one */
  const searchAlbum = (albumId: string, bytes: Buffer, threshold: number) =>
    unlessMissing<[string, Seen | undefined][]>([], async () => {
      try {
        const { FaceMatches = [], SearchedFaceBoundingBox } = await governor.run('search', (abortSignal) =>
          client.send(
            new SearchFacesByImageCommand({
              CollectionId: collectionOf(albumId),
              Image: { Bytes: bytes },
              MaxFaces: FACES_PER_ANSWER,
              // A little lower, so that no rounding drops what our threshold would keep.
              FaceMatchThreshold: Math.max(0, Math.min(ASKED_SIMILARITY, threshold - 1)),
              QualityFilter: 'NONE',
            }),
            { abortSignal },
          ),
        )
        const matches = FaceMatches.map(
          ({ Face, Similarity }): FaceMatch => ({
            faceId: Face!.FaceId!,
            photoId: Face!.ExternalImageId!,
            similarity: Similarity!,
          }),
        ).filter(({ similarity }) => similarity >= threshold)
        return [[albumId, { matches, box: boxOf(SearchedFaceBoundingBox) }]]
      } catch (error) {
        // "If no faces are detected in the input image, SearchFacesByImage returns an InvalidParameterException
        // error", as it does for a parameter against the rules. Ours always have the same form, and the image has
        // a type and size that it takes. So when the whole image can be read, it has no face.
        if (!isNamed(error, 'InvalidParameterException')) throw translateFault(error, log)
        if (!(await pictures.isReadable(bytes, 'view', albumId))) throw unreadablePicture(error)
        return [[albumId, undefined]]
      }
    })

  return async (albumIds: string[], image: Buffer, threshold: number): Promise<SelfieAnswer> => {
    const bytes = await pictures.upright(image, 'view', albumIds.join())
    const entries = await Promise.all(albumIds.map((albumId) => searchAlbum(albumId, bytes, threshold)))
    return new Map(entries.flat())
  }
}

/** What several selfies of one person find together.
 *  @throws AppError UNPROCESSABLE_CONTENT when none has a face */
export function combined(answers: readonly SelfieAnswer[], rejected: readonly string[] = []): PersonSearch {
  const albumIds = new Set(answers.flatMap((answer) => [...answer.keys()]))
  if (albumIds.size === 0) return { found: new Map(), selfies: [] }
  const selfies = answers.map(facesOf)
  if (selfies.every(({ faces }) => faces.length === 0)) throw noFaceFound()
  const found = [...albumIds].map((albumId): [string, FoundPerson] => {
    const matches = answers.flatMap((answer) => answer.get(albumId)?.matches ?? [])
    return [
      albumId,
      { sure: bestOfPhotos(matches.filter(({ faceId }) => !rejected.includes(faceId))), possible: [] },
    ]
  })
  return { found: new Map(found), selfies }
}

function facesOf(answer: SelfieAnswer): SelfieFaces {
  const seen = [...answer.values()].find((one) => one !== undefined)
  return {
    faces: seen ? [{ box: seen.box }] : [],
    searched: 0,
    problems: seen ? [] : ['NO_FACE'],
    isSomebodyElse: false,
  }
}
