/** Texts of an album's page, but for the search. */
import { digits } from '../numbers.ts'

export const album = {
  manage: 'Manage this album',
  dropSelfie: 'Drop a selfie to see every photo you are in.',
  preparing: 'The album is being prepared.',
  opening: 'Opening the album',
}

export const browseLink = {
  question: 'Prefer not to use a selfie?',
  browse: 'Browse all photos',
  seeAll: 'See all photos',
  search: 'Search with a selfie',
}

export const searchablePhotos = {
  soFar: (count: number, total: number) => `${digits(count)} of ${digits(total)} photos so far.`,
  covered: (count: number, total: number) =>
    `This search covered ${digits(count)} of ${digits(total)} photos.`,
  preparing: 'The others are being prepared.',
  offer: 'You can search already',
  search: 'Search these photos',
  searchMore: (count: number) => `Search ${digits(count)} more`,
}
