import type { Photo } from '../database/schema.ts'
import type { Collection } from '../faces/collection-queries.ts'
import type { IndexedPhoto } from '../faces/face-index.ts'

/** The faces of a photo, and the collection that has them. */
export interface FoundFaces {
  photo: Photo
  found: IndexedPhoto
  collection: Collection
  /** How many people of the album had asked by then that their faces are not indexed; undefined: nobody. */
  withoutPeople?: number
}
