/** A described face as it is stored. */
export interface StoredFace {
  /** A uuid. */
  faceId: string
  photoId: string
  /** 128 numbers. */
  descriptor: Float32Array
}

/** Which version of a collection is current. */
export interface CollectionState {
  /** Rises with every change. Revisions of one album never repeat, even when its collection is deleted and
   *  created again. */
  revision: number
  /** The revision of the last removal (a creation counts as one). A process that knows an older revision reads
   *  everything again. */
  removedRevision: number
}

/** Where the embedded engine stores descriptors. Processes share it. Each asks for the state and loads what is newer.
 *  So a writer holds its collection's lock until its change is visible, and changes become visible in the order of
 *  their revisions. */
export interface DescriptorStore {
  /** A repeated call has no further effect. */
  createCollection(albumId: string): Promise<void>
  /** A missing collection is no error. */
  deleteCollection(albumId: string): Promise<void>
  /** Replaces all faces of the photo with these. If the same numbers are already stored, nothing changes and there is
   *  no new revision, so a repeated photo costs readers nothing. Throws AppError NOT_FOUND for a missing collection. */
  savePhoto(albumId: string, photoId: string, faces: Omit<StoredFace, 'photoId'>[]): Promise<void>
  /** Missing photos or a missing collection are no error. */
  removePhotos(albumId: string, photoIds: string[]): Promise<void>
  /** 0 when there is no collection. */
  countFaces(albumId: string): Promise<number>
  /** The states of these albums' collections, by album. Reads one row for each in one query, since every search asks
   *  for them. Albums without a collection are missing from the answer. */
  states(albumIds: string[]): Promise<Map<string, CollectionState>>
  /** The faces saved after the revision `after` and up to `upTo`, each once, in chunks of some thousands. */
  load(albumId: string, after: number, upTo: number): AsyncIterable<StoredFace[]>
}
