import { resultsHeadings as texts } from '../../../../src/texts/english/search-results.ts'
import type { Found } from './found.ts'

/** What the results are.
 *  @param added how many photos were not found at the last visit */
export function resultsHeading({ person: { isRemembered, other }, total }: Found, added: number): string {
  if (other) return other.combine === 'both' ? texts.foundBoth(total) : texts.foundEither(total)
  if (!isRemembered) return texts.found(total)
  return added > 0 ? texts.newSince(added) : texts.nothingNew
}

/** What the page says when there is no photo. */
export function nothingFound({ person: { isRemembered, other } }: Found): { title: string; text: string } {
  if (other)
    return {
      title: other.combine === 'both' ? texts.noneBoth : texts.noneEither,
      text: other.combine === 'both' ? texts.noneBothText : texts.noneEitherText,
    }
  return {
    title: texts.none,
    text: isRemembered ? texts.noneNow : texts.noneText,
  }
}

/** The photos that were not found at the last visit come first. */
export function newFirst<Photo>(photos: readonly Photo[], isNew: (photo: Photo) => boolean): Photo[] {
  return [...photos.filter(isNew), ...photos.filter((photo) => !isNew(photo))]
}
