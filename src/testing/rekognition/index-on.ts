import type { FaceIndex } from '../../faces/face-index.ts'
import type { Pictures } from '../../faces/pictures.ts'
import type { FaceRecord, FaceRecords } from '../../faces/rekognition/face-record-queries.ts'
import {
  createRekognitionFaceIndex,
  type RekognitionOptions,
} from '../../faces/rekognition/rekognition-face-index.ts'
import { createLog } from '../../log.ts'
import { croppedImage, uprightImage } from '../../photos/pictures-for-rekognition.ts'
import type { StandIn } from './stand-in.ts'

/** Decodes pictures in the process of the test. */
export const PICTURES_HERE: Pictures = {
  upright: (image) => uprightImage(image),
  cropped: (image, region) => croppedImage(image, region),
}

/** The face index on a stand-in for Amazon Rekognition. It makes each call immediately, and by default repeats none. It knows
 *  nothing of any face, unless there are records. */
export function indexOn(
  { endpoint, region, credentials }: StandIn,
  { client, ...options }: Partial<RekognitionOptions> = {},
): Promise<FaceIndex> {
  return createRekognitionFaceIndex({
    pictures: PICTURES_HERE,
    records: async () => new Map(),
    photosPerSecond: 1_000_000,
    log: createLog('silent'),
    ...options,
    client: { endpoint, region, credentials, maxAttempts: 1, ...client },
  })
}

/** Keeps in memory what the table `faces` keeps of indexed faces. */
export function createMemoryFaceRecords(): {
  records: FaceRecords
  /** The same index, which also records what it indexes. */
  recording(index: FaceIndex): FaceIndex
} {
  const known = new Map<string, FaceRecord>()
  return {
    records: async (albumIds, faceIds) =>
      new Map(
        faceIds
          .flatMap((id) => known.get(id) ?? [])
          .filter(({ albumId }) => albumIds.includes(albumId))
          .map((record) => [record.faceId, record]),
      ),
    recording: (index) => ({
      ...index,
      async indexPhoto(albumId, photoId, ...rest) {
        const indexed = await index.indexPhoto(albumId, photoId, ...rest)
        for (const { faceId, quality } of indexed.faces)
          known.set(faceId, { faceId, albumId, photoId, quality })
        return indexed
      },
    }),
  }
}
