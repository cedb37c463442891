/** Texts of an album's page, but for the search. */
import { digits } from '../numbers.ts'

export const album = {
  manage: 'Manage this album',
  notFoundReason: 'Album not found',
  backToProgress: 'Back to the progress',
  dropSelfie: 'Drop a selfie to see every photo you are in.',
  preparing: 'The album is being prepared.',
  opening: 'Opening the album',
  notFound: 'Album Not Found',
  browseAlbums: 'Browse Photo Albums',
  notFoundText: 'This album does not exist or has not been processed yet.',
  opensOn: (time: string) => `This album opens on ${time}`,
  opensOnText: 'This page then opens by itself. You need not enter the password again.',
  closed: 'The organiser has closed this album',
  closedText: 'Nobody but the organiser sees its photos now.',
  notOpened: 'The album could not be opened',
}

export const facesEnded = {
  title: 'Face search has ended for this album',
  text: (date: string) => `Its photos are still here. The descriptions of the faces were deleted on ${date}.`,
}

export const browseLink = {
  question: 'Prefer not to use a selfie?',
  browse: 'Browse all photos',
  seeAll: 'See all photos',
  search: 'Search with a selfie',
}

export const searchablePhotos = {
  soFar: (count: number, total: number) =>
    `${digits(count)} of ${digits(total)} photos so far. Search again later for the others.`,
  soFarPreparing: (count: number, total: number) =>
    `${digits(count)} of ${digits(total)} photos so far. The others are being prepared.`,
  covered: (count: number, total: number) =>
    `This search covered ${digits(count)} of ${digits(total)} photos.`,
  preparing: 'The others are being prepared.',
  offer: 'You can search already',
  search: 'Search these photos',
  searchMore: (count: number) => `Search ${digits(count)} more`,
}
