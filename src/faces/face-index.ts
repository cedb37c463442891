/** A face's bounding box in fractions (0–1) of the upright image's width and height. */
export interface BoundingBox {
  left: number
  top: number
  width: number
  height: number
}

export interface IndexedFace {
  /** A uuid: the face's id in the collection. */
  faceId: string
  box: BoundingBox
  /** The detector's confidence, 0–100. */
  confidence: number
}

/** Why a face that was seen cannot be searched for, in the words of Amazon Rekognition (UnindexedFace). */
export type UnindexedReason =
  | 'EXCEEDS_MAX_FACES'
  | 'EXTREME_POSE'
  | 'LOW_BRIGHTNESS'
  | 'LOW_SHARPNESS'
  | 'LOW_CONFIDENCE'
  | 'SMALL_BOUNDING_BOX'
  | 'LOW_FACE_QUALITY'

export interface UnindexedFace {
  reasons: UnindexedReason[]
  box: BoundingBox
}

export interface IndexedPhoto {
  faces: IndexedFace[]
  /** Faces that were seen and left out. */
  unindexed: UnindexedFace[]
}

export interface FaceMatch {
  faceId: string
  photoId: string
  /** 0–100 on Rekognition's scale: 80 and above is the same person, by default. */
  similarity: number
}

/** A photo to be indexed, where it is stored. */
export interface PhotoSource {
  /** All of its bytes. What goes wrong here is thrown on as it is. */
  read(): Promise<Buffer>
  /** The same bytes in Amazon S3, where Amazon's own services may read them; undefined for a photo that is not
   *  there, or that they would not take as it is. */
  s3Object?: { bucket: string; name: string } | undefined
}

/** The face-index port: one collection of faces an album.
 *
 *  Images are JPEG or PNG of at most 5 MB, in any orientation. Faults: AppError UNPROCESSABLE_CONTENT
 *  when the image cannot be read (`indexPhoto`) or has no face (`search`), NOT_FOUND for a collection that
 *  does not exist, SERVICE_UNAVAILABLE when the engine cannot be had just now, INTERNAL_SERVER_ERROR when it
 *  died over this image, which may or may not be the image's fault. */
export interface FaceIndex {
  readonly engine: 'embedded' | 'rekognition'
  /** May be repeated. */
  createCollection(albumId: string): Promise<void>
  /** Adds every face of a photo; none is no fault. Repeating it for the same photo leaves the faces of the
   *  last call only, each once.
   *  @param options.isRepeat must be set when the photo may have been indexed before: looking for faces of
   *    former calls may cost a call for every 4,096 faces of the collection */
  indexPhoto(
    albumId: string,
    photoId: string,
    photo: PhotoSource,
    options?: { isRepeat?: boolean },
  ): Promise<IndexedPhoto>
  /** The faces at or above `threshold` (0–100) that look like the largest face of the image, best first. */
  search(albumId: string, image: Buffer, threshold: number): Promise<FaceMatch[]>
  /** Removes the faces of photos. */
  removePhotos(albumId: string, photoIds: string[]): Promise<void>
  /** Removes the collection and its faces; one that is not there is no fault. */
  deleteCollection(albumId: string): Promise<void>
  /** Faces in the collection; 0 when there is none. What an erasure checks afterwards. */
  countFaces(albumId: string): Promise<number>
  /** Whether the engine can be had just now, asked so that it costs next to nothing; throws SERVICE_UNAVAILABLE. */
  check(): Promise<void>
  close(): Promise<void>
}
