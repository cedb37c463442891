import type { MatchedFace } from '../../../src/contract/search.ts'
import type { ResultPhoto } from '../../../src/contract/submissions.ts'

/** A photo for a visitor, and the visitor's face in it, if that is known. */
export interface ViewedPhoto extends ResultPhoto {
  face?: MatchedFace | undefined
}
