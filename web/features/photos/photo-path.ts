import type { MatchedFace } from '../../../src/contract/search.ts'
import type { ResultPhoto } from '../../../src/contract/submissions.ts'

/** A photo for a visitor. */
export interface ViewedPhoto extends Omit<ResultPhoto, 'url' | 'previewUrl' | 'downloadUrl'> {
  /** The visitor's face in it, if that is known. */
  face?: MatchedFace | undefined
  /** What its tile says about it. */
  note?: string | undefined
}

type Addressed = Pick<ResultPhoto, 'thumbUrl'>

/** The address of a photo in another size. Its addresses differ in that only, so a list of 100,000 photos keeps one of each. */
export function addressOf({ thumbUrl }: Addressed, size: 'full' | 'preview' | 'download'): string {
  return thumbUrl.replace(/thumb(?=\?)/, size)
}

/** The part of a photo's address that stays when addresses are renewed. */
export function pathOf({ thumbUrl }: Addressed): string {
  return thumbUrl.slice(0, thumbUrl.indexOf('?'))
}

/** The id in an address of a photo, whose path is `/photos/ID/SIZE`. */
export function photoIdOf(address: string): string {
  return new URL(address).pathname.split('/')[2]!
}
