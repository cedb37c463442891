import type { SelfieProblem } from '../contract/selfie-advice.ts'
import type { EngineName } from '../database/schema.ts'

/** A face's bounding box in fractions (0–1) of the upright image's width and height. */
export interface BoundingBox {
  left: number
  top: number
  width: number
  height: number
}

/** How well a face can be seen: Quality and Pose of Amazon Rekognition's FaceDetail. Null where the engine gives no
 *  value. Each engine has its own scale for sharpness and brightness, so compare only faces of one engine. The size of the
 *  face is not here: it follows from the box, and the width and height of the photo.
 *  Amazon does not explain the signs of a pose. These are the ones in its examples of IndexFaces and DetectFaces. */
export interface FaceQuality {
  /** 0–100. */
  sharpness: number | null
  /** 0–100. */
  brightness: number | null
  /** Degrees. 0 looks into the camera. Positive: the nose points to the right edge of the picture. */
  yaw: number | null
  /** Degrees. Positive: the nose points up. */
  pitch: number | null
  /** Degrees. Positive: the head leans to the right edge of the picture, so it is turned clockwise. */
  roll: number | null
}

export interface IndexedFace {
  /** A uuid: the face's id in the collection. */
  faceId: string
  box: BoundingBox
  /** The detector's confidence, 0–100. */
  confidence: number
  quality: FaceQuality
  /** What the engine finds the face by. Who records the face keeps it with it. Missing when the engine keeps it itself. */
  descriptor?: Buffer
}

/** Why a detected face cannot be searched for, as Amazon Rekognition names it (UnindexedFace). */
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

export interface LeftOutFace {
  box: BoundingBox
  /** The place of its person in `without`. */
  person: number
}

export interface IndexedPhoto {
  faces: IndexedFace[]
  /** Faces that were detected but not indexed. */
  unindexed: UnindexedFace[]
  /** Faces that were not indexed, because they are of one of the people in `without`: at most one of each. Missing when
   *  there are none. */
  leftOut?: LeftOutFace[]
}

export interface FaceMatch {
  faceId: string
  photoId: string
  /** 0–100 on Rekognition's scale: 80 and above is the same person, by default. */
  similarity: number
}

/** A picture of the person that is searched for. */
export interface Selfie {
  image: Buffer
  /** Which face of the picture is the person: its place among the faces of SelfieFaces. 0, the largest, by default and
   *  when there is no such face. */
  face?: number | undefined
}

/** In an album for children, a face is surely of the person only from this similarity (0–100). docs/matching.md has the reason. */
export const SURE_AMONG_CHILDREN = 93

/** Who is searched for. */
export interface PersonQuery {
  /** All of one person. At least one, or none with evidence. */
  selfies: Selfie[]
  /** What a search of this engine in the same albums has answered, in place of its selfies. With selfies beside it: they are of
   *  the same person. */
  evidence?: Buffer | undefined
  /** That search was long ago. So an engine that keeps no description of the selfies takes the best face that they have found in
   *  their place, for photos that were added since. */
  isLater?: boolean | undefined
  /** The ids of faces that the person has recognised as theirs. Those that are in none of the albums have no effect. */
  confirmed?: string[] | undefined
  /** The ids of faces that the person has said are not theirs. */
  rejected?: string[] | undefined
  /** The albums are for children. */
  amongChildren?: boolean | undefined
}

/** What was found in one album. Neither list has a photo twice. */
export interface FoundPerson {
  /** Faces that are surely of the person, the best match first. */
  sure: FaceMatch[]
  /** Faces in other photos that the person has to be asked about, the best match first: at most MOST_POSSIBLE. */
  possible: FaceMatch[]
  /** A selfie is a picture that the album has: the same one, a screenshot or a crop of it. So it does not show who is
   *  asking. Missing when none is, and when there are no selfies. */
  isFromAlbum?: true
}

/** What was seen in a selfie. */
export interface SelfieFaces {
  /** The faces that can be searched by, the largest first. */
  faces: { box: BoundingBox }[]
  /** The place in `faces` of the one that was searched by; 0 when there is none. */
  searched: number
  /** What the visitor should change first comes first. */
  problems: SelfieProblem[]
  /** It shows another person than the first selfie with a face, and was left out. */
  isSomebodyElse: boolean
}

export interface PersonSearch {
  /** By album. Has no entry for an album that was erased, or has no collection in an engine outside of Inframe. */
  found: Map<string, FoundPerson>
  /** One for each selfie of the query. Empty when no album has a collection: then the selfies are not looked at. */
  selfies: SelfieFaces[]
  /** What a repeated search, also weeks later, needs in place of all selfies. It is biometric data. Undefined when the engine
   *  has seen too little for that, or has not looked at the selfies. */
  evidence?: Buffer | undefined
}

/** A stored photo to be indexed. */
export interface PhotoSource {
  /** All of its bytes. Engines pass on its errors unchanged. */
  read(): Promise<Buffer>
  /** The same bytes in Amazon S3, where Amazon's services can read them. Undefined for a photo that is elsewhere,
   *  or that they do not take as it is stored. */
  s3Object?: { bucket: string; name: string } | undefined
  /** Takes the photo's preview (see preview.ts) from an engine that decodes the photo itself. Missing when none is
   *  needed. Engines pass on its errors unchanged. */
  keepPreview?: ((preview: Buffer) => Promise<void>) | undefined
}

/** What every face engine implements: one collection of faces for each album. An engine in the cloud keeps collections; that
 *  of the embedded one is made of the rows of the table `faces`, which the domain writes and deletes.
 *
 *  Images are JPEG or PNG of at most 5 MB, in any orientation. Faults: AppError UNPROCESSABLE_CONTENT when the image
 *  cannot be read, takes too much time or memory, or has no face (`search`); NOT_FOUND when the engine keeps collections
 *  and this one does not exist (`indexPhoto`); SERVICE_UNAVAILABLE while the engine is unavailable; INTERNAL_SERVER_ERROR when it crashed while
 *  it worked on this image, which may or may not be the cause. */
export interface FaceIndex {
  readonly engine: EngineName
  /** A repeated call has no further effect. */
  createCollection(albumId: string): Promise<void>
  /** Finds every face of a photo; an engine that keeps collections adds them. A photo without a face is no error. After a
   *  repeated call for the same photo only the faces of the last call remain, each once.
   *  @param options.isRepeat must be set when the photo may have been indexed before
   *  @param options.without people whose faces are not indexed, each as describePerson gave it */
  indexPhoto(
    albumId: string,
    photoId: string,
    photo: PhotoSource,
    options?: { isRepeat?: boolean; without?: Buffer[] },
  ): Promise<IndexedPhoto>
  /** The photos of a person in each of these albums.
   *  @param threshold similarity (0–100) from which a face is surely of the person; by default the engine decides
   *  @throws AppError UNPROCESSABLE_CONTENT when no selfie has a face, and an album has a collection; FORBIDDEN when nothing
   *    of the template is left in these albums */
  search(albumIds: string[], person: PersonQuery, threshold?: number): Promise<PersonSearch>
  /** Says that these albums will probably be searched soon, so that the engine can load them. Returns at once and never
   *  fails. */
  prepare(albumIds: string[]): void
  /** Removes these faces. It is no error when a face, or the collection, is missing. */
  removeFaces(albumId: string, faceIds: string[]): Promise<void>
  /** Describes the person of these faces, so that the engine recognises other faces of the same person. This is
   *  biometric data.
   *  @returns undefined when none of the faces is in the collection, and from Amazon Rekognition, which gives no
   *    descriptions away */
  describePerson(albumId: string, faceIds: string[]): Promise<Buffer | undefined>
  /** Removes the faces of photos. */
  removePhotos(albumId: string, photoIds: string[]): Promise<void>
  /** Removes the collection and its faces. A missing collection is no error. */
  deleteCollection(albumId: string): Promise<void>
  /** The number of faces in the collection; 0 when it is missing. An erasure checks it at its end. */
  countFaces(albumId: string): Promise<number>
  /** Checks cheaply that the engine is available; throws SERVICE_UNAVAILABLE when it is not. */
  check(): Promise<void>
  close(): Promise<void>
}
