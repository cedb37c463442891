/** A described face as it is kept. */
export interface StoredFace {
  /** A uuid. */
  faceId: string
  photoId: string
  /** 128 numbers. */
  descriptor: Float32Array
}

/** How far a collection has come. */
export interface CollectionState {
  /** Goes up with every change. Revisions of one album never repeat, not even when its collection is deleted
   *  and created anew. */
  revision: number
  /** The revision of the last removal (a creation counts as one): who has read less reads everything anew. */
  removedRevision: number
}

/** Where the embedded engine keeps descriptors. Processes share it: each reads what the others changed by
 *  asking for the state and loading what is newer, so a writer holds its collection's lock until its change
 *  is visible, and changes become visible in the order of their revisions. */
export interface DescriptorStore {
  /** May be repeated. */
  createCollection(albumId: string): Promise<void>
  /** One that is not there is no fault. */
  deleteCollection(albumId: string): Promise<void>
  /** Puts these faces in place of all that the photo had. What is there already, number for number, stays
   *  without a new revision, so that a repeated photo costs readers nothing. Throws AppError NOT_FOUND for a
   *  missing collection. */
  savePhoto(albumId: string, photoId: string, faces: Omit<StoredFace, 'photoId'>[]): Promise<void>
  /** Photos or a collection that are not there are no fault. */
  removePhotos(albumId: string, photoIds: string[]): Promise<void>
  /** 0 when there is no collection. */
  countFaces(albumId: string): Promise<number>
  /** Asked on every search: one row. Undefined when there is no collection. */
  state(albumId: string): Promise<CollectionState | undefined>
  /** The faces saved after one revision and no later than another, each once, in chunks of some thousands. */
  load(albumId: string, after: number, upTo: number): AsyncIterable<StoredFace[]>
}
