import { randomUUID } from 'node:crypto'
import type { FaceIndex, PersonQuery, PersonSearch } from '../../faces/face-index.ts'
import { inMemory } from '../photo-source.ts'
import { indexOn } from './index-on.ts'
import { createMemoryFaceRecords } from './memory-face-records.ts'
import { imageHash, type RecognisedFace, recogniseFromTable } from './recogniser.ts'
import { type StandIn, startStandInRekognition } from './stand-in.ts'
import { faceOf, numberedPicture } from './table-faces.ts'

/** A face index on a stand-in, with an album in it. Pictures show the faces that a test wants. */
export interface TableIndex {
  index: FaceIndex
  service: StandIn
  albumId: string
  /** A picture of these faces. */
  pictureOf(...faces: RecognisedFace[]): Promise<Buffer>
  /** Indexes a photo of one face, in the album or another one.
   *  @returns the id of the face */
  photoOf(face: RecognisedFace, albumId?: string): Promise<string>
  /** What a search finds in the album: the ids of faces, and the rest of the answer. */
  search(person: PersonQuery): Promise<{ sure: string[]; possible: string[] } & Omit<PersonSearch, 'found'>>
  close(): Promise<void>
}

export async function startTableIndex(): Promise<TableIndex> {
  const albumId = randomUUID()
  const table = new Map<string, RecognisedFace[]>()
  const service = await startStandInRekognition({ recognise: recogniseFromTable(table) })
  const { records, recording } = createMemoryFaceRecords()
  const index = recording(await indexOn(service, { records }))
  await index.createCollection(albumId)
  let pictures = 0

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
    async photoOf(face, album = albumId) {
      const { faces } = await index.indexPhoto(album, randomUUID(), inMemory(await pictureOf(face)))
      return faces[0]!.faceId
    },
    async search(person) {
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
