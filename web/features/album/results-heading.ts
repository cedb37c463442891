import { countOf, formatNumber } from '../../lib/format.ts'
import type { Found } from './found.ts'

/** What the results are.
 *  @param added how many photos were not found at the last visit */
export function resultsHeading({ person: { ticket, other }, total }: Found, added: number): string {
  if (other) return `Found ${countOf(total, 'Photo')} with ${other.combine} of you!`
  if (ticket === undefined) return `Found ${countOf(total, 'Photo')}!`
  return `Your photos, ${added > 0 ? formatNumber(added) : 'nothing'} new since your last visit`
}

/** What the page says when there is no photo. */
export function nothingFound({ person: { ticket, other } }: Found): { title: string; text: string } {
  if (other)
    return {
      title: `No Photos with ${other.combine === 'both' ? 'Both' : 'Either'} of You`,
      text:
        other.combine === 'both'
          ? 'No photo of this album surely shows you together. Look for photos with either of you.'
          : 'We did not find either of you in this album. Try clearer selfies.',
    }
  return {
    title: 'No Photos Found',
    text:
      ticket === undefined
        ? 'We did not find you in this album. Try a clearer selfie: face the camera, in good light, on your own.'
        : 'No photo of this album shows you at the moment. Come back later, or try another selfie.',
  }
}

/** The photos that were not found at the last visit come first. */
export function newFirst<Photo>(photos: readonly Photo[], isNew: (photo: Photo) => boolean): Photo[] {
  return [...photos.filter(isNew), ...photos.filter((photo) => !isNew(photo))]
}
