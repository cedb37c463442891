import type { EngineName, Photo } from '../database/schema.ts'
import type { Collection } from '../faces/collection-queries.ts'
import type { BoundingBox, IndexedFace, IndexedPhoto, UnindexedFace } from '../faces/face-index.ts'

/** The faces of a photo, and the collection that has them. */
export interface FoundFaces {
  photo: Photo
  found: IndexedPhoto
  collection: Collection
  /** The opt-outs of the people who were kept out of the photo; undefined: nobody. */
  withoutPeople?: string[]
  /** The size of the preview, when this has stored one. */
  previewBytes?: number | undefined
}

/** The faces of a photo as they are recorded. */
export interface SettledFaces {
  photo: Photo
  engine: EngineName
  /** With the opt-out that hides the face, or null. */
  faces: (IndexedFace & { optOutId: string | null })[]
  /** Where faces are that an opt-out keeps out of the index. */
  places: { box: BoundingBox; optOutId: string }[]
  unindexed: UnindexedFace[]
  /** How many faces were found, with those that have opted out. So no count tells who has. */
  faceCount: number
  previewBytes: number | undefined
}
