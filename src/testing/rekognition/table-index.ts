import { randomUUID } from 'node:crypto'
import type { PersonQuery } from '../../faces/face-index.ts'
import type { RekognitionOptions } from '../../faces/rekognition/rekognition-face-index.ts'
import { createLog } from '../../log.ts'
import { inMemory } from '../sample-photos.ts'
import type { CollectionsOptions } from './collections.ts'
import { createMemoryFaceRecords, indexOn } from './index-on.ts'
import { faceOf, imageHash, numberedPicture, type RecognisedFace } from './recogniser.ts'
import { ServiceError } from './service-error.ts'
import { startStandInRekognition } from './stand-in.ts'

export type TableIndex = Awaited<ReturnType<typeof startTableIndex>>

/** A face index on a stand-in, with an album in it. Pictures show the faces that a test wants.
 *  @param options of the stand-in */
export async function startTableIndex(options: Omit<CollectionsOptions, 'recognise'> = {}) {
  const albumId = randomUUID()
  const table = new Map<string, RecognisedFace[] | ServiceError>()
  const seen: Buffer[] = []
  const service = await startStandInRekognition({
    ...options,
    async recognise(image) {
      seen.push(image)
      const faces = table.get(imageHash(image)) ?? []
      if (faces instanceof ServiceError) throw faces
      return faces
    },
  })
  const logged: { level: number; msg: string }[] = []
  const { records, recording } = createMemoryFaceRecords()
  const log = createLog('warn', { write: (line) => void logged.push(JSON.parse(line)) })
  const connect = (client: RekognitionOptions['client'] = {}) => indexOn(service, { records, log, client })
  const index = recording(await connect())
  await index.createCollection(albumId)
  let pictures = 0

  /** A picture of these faces. */
  async function pictureOf(...faces: RecognisedFace[]): Promise<Buffer> {
    // Neighbouring numbers may have the same bytes.
    const picture = await numberedPicture(8 * ++pictures)
    table.set(imageHash(picture), faces)
    return picture
  }

  return {
    index,
    service,
    albumId,
    pictureOf,
    /** What the service sees in each picture, or fails with. */
    table,
    /** The pictures that the service has looked at. */
    seen,
    /** Warnings in the log. */
    logged,
    /** Another index on the same service. */
    connect,
    /** Indexes a photo of these bytes in the album. */
    indexPhoto: (image: Buffer, photoId: string = randomUUID(), again?: { isRepeat: boolean }) =>
      index.indexPhoto(albumId, photoId, inMemory(image), again),
    /** Indexes a photo of one face, in the album or another one.
     *  @returns the id of the face */
    async photoOf(face: RecognisedFace, album = albumId): Promise<string> {
      const { faces } = await index.indexPhoto(album, randomUUID(), inMemory(await pictureOf(face)))
      return faces[0]!.faceId
    },
    /** What a search finds in the album: the ids of faces, and the rest of the answer. */
    async search(person: PersonQuery) {
      const { found, ...rest } = await index.search([albumId], person)
      const { sure, possible } = found.get(albumId)!
      return {
        sure: sure.map(({ faceId }) => faceId),
        possible: possible.map(({ faceId }) => faceId),
        ...rest,
      }
    },
    async close() {
      await index.close()
      await service.close()
    },
  }
}

/** A face of somebody, at a place that says how far it is from others: 0.3 is a similarity of 98, 0.48 of 84, 0.52 of 71,
 *  0.55 of 59, 0.62 of 20.
 *  @param options.size the width and height of its box, in fractions of the picture
 *  @param options.quality what differs from a good face */
export function faceAt(x: number, y = 0, { size = 0.2, quality = {} } = {}): RecognisedFace {
  const face = faceOf(1, size)
  const descriptor = face.descriptor.slice()
  descriptor[100] = x
  descriptor[101] = y
  return { ...face, descriptor, quality: { ...face.quality, ...quality } }
}
