import type { AlbumFace } from './find-person.ts'
import type { MeasuredStrangers } from './stranger-distances.ts'

export const DESCRIPTOR_LENGTH = 128
export const FACE_ID_BYTES = 16

/** A described face as it is stored. */
export interface StoredFace {
  /** A uuid. */
  faceId: string
  photoId: string
  /** 128 numbers. */
  descriptor: Float32Array
}

/** Some faces of an album in a few arrays, because there are hundreds of thousands. The arrays are filled again after
 *  they were read. */
export interface FaceChunk {
  count: number
  /** 16 bytes for each face. */
  faceIds: Uint8Array
  /** 128 numbers for each face. */
  descriptors: Float32Array
}

/** Which version of a collection is current. */
export interface CollectionState {
  /** Rises with every change. Revisions of one album never repeat, even when its collection is deleted and
   *  created again. */
  revision: number
  /** The revision of the last removal (a creation counts as one). */
  removedRevision: number
  /** About how many faces the album has. */
  faces: number
  /** Undefined when they were not measured yet. */
  strangers?: MeasuredStrangers | undefined
}

/** Where the embedded engine stores descriptors. Processes share it. Each asks for the state and loads what is newer.
 *  So a writer holds its collection's lock until its change is visible, and changes become visible in the order of
 *  their revisions. */
export interface DescriptorStore
  extends Pick<DescriptorReader, 'states' | 'facesTogether' | 'keepStrangers'> {
  /** A repeated call has no further effect. */
  createCollection(albumId: string): Promise<void>
  /** A missing collection is no error. */
  deleteCollection(albumId: string): Promise<void>
  /** Replaces all faces of the photo with these. If the same numbers are already stored, nothing changes and there is
   *  no new revision, so a repeated photo costs readers nothing. Throws AppError NOT_FOUND for a missing collection. */
  savePhoto(albumId: string, photoId: string, faces: Omit<StoredFace, 'photoId'>[]): Promise<void>
  /** Missing photos or a missing collection are no error. */
  removePhotos(albumId: string, photoIds: string[]): Promise<void>
  /** Missing faces or a missing collection are no error. */
  removeFaces(albumId: string, faceIds: string[]): Promise<void>
  /** The descriptors of these faces. Faces that are not in the album have none. */
  descriptorsOf(albumId: string, faceIds: string[]): Promise<Float32Array[]>
  /** 0 when there is no collection. */
  countFaces(albumId: string): Promise<number>
  /** Which of these albums have a collection. */
  withCollection(albumIds: string[]): Promise<string[]>
}

/** How searches read the descriptors. */
export interface DescriptorReader {
  /** The states of these albums' collections, by album. Reads one row for each in one query, since every search asks
   *  for them. Albums without a collection are missing from the answer. */
  states(albumIds: string[]): Promise<Map<string, CollectionState>>
  /** The ids of the faces that were removed or replaced after the revision `after` and up to the state. Undefined when
   *  they are not all known: then everything has to be loaded again. */
  removedFaces(albumId: string, after: number, state: CollectionState): Promise<string[] | undefined>
  /** Gives the faces saved after the revision `after` and up to `upTo`, each once, in chunks of about a thousand. */
  load(
    albumId: string,
    range: { after: number; upTo: number },
    onChunk: (chunk: FaceChunk) => void,
  ): Promise<void>
  /** These faces. Those that are no longer in the album are missing from the answer. */
  facesOf(albumId: string, faceIds: string[]): Promise<AlbumFace[]>
  /** The ids of the faces in these photos. */
  facesInPhotos(photoIds: string[]): Promise<string[]>
  /** Faces of up to 500 photos that show two people and more: the largest ones of each, photo by photo, the largest first.
   *  Always the same photos while none is added or removed. */
  facesTogether(albumId: string): Promise<AlbumFace[]>
  /** Stores how far from each other the album's strangers are. A missing collection is no error. */
  keepStrangers(albumId: string, strangers: MeasuredStrangers): Promise<void>
  close(): Promise<void>
}
