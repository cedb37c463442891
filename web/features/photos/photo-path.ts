import type { MatchedFace } from '../../../src/contract/search.ts'
import type { ResultPhoto } from '../../../src/contract/submissions.ts'

/** The part of a photo's address that stays when addresses are renewed. */
export function pathOf({ url }: Pick<ResultPhoto, 'url'>): string {
  return new URL(url).pathname
}

/** The id in the path `/photos/ID/full`. */
export function photoIdOf(photo: { url: string }): string {
  return pathOf(photo).split('/')[2]!
}

/** A photo for a visitor. */
export interface ViewedPhoto extends ResultPhoto {
  /** The visitor's face in it, if that is known. */
  face?: MatchedFace | undefined
  /** What its tile says about it. */
  note?: string | undefined
}
