import type { ResultPhoto } from '../../../src/contract/submissions.ts'

/** What stays the same of a photo when its addresses are renewed. */
export function pathOf({ url }: Pick<ResultPhoto, 'url'>): string {
  return new URL(url).pathname
}

/** The id in the path `/photos/ID/full`. */
export function photoIdOf(photo: { url: string }): string {
  return pathOf(photo).split('/')[2]!
}
