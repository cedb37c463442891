/** Texts of a search with a selfie. What it finds is in search-results.ts, which loads later. */
import { sentence } from '../sentence.ts'

export const selfieSearch = {
  label: 'Find your photos',
  facesEnd: (days: number) => `Face data of this album is deleted ${days} days after the last upload.`,
}

export const searchForm = {
  searchingAlbum: 'Searching the album for you',
  searching: 'Searching...',
  search: 'Search Photos',
  explanation:
    'Your selfie is used for this one search and deleted after processing. For an hour, this tab keeps an encrypted text that finds you again, so that your selfie need not be sent again. If others are in it, the largest face is searched for. You can choose another one: that is another search, with your selfie.',
}

export const searchFailures = {
  none: 'No photos detected',
  noneText: 'No photos were detected of you in this album. Try uploading a clearer selfie.',
  failed: 'Search failed',
}

/** For a visitor who searched before. */
export const formerSearch = {
  over: 'Your results have ended',
  isRemembered: 'This browser remembers you',
  show: 'Show my photos',
  forget: 'Forget me',
}

export const albumSearch = {
  notRemembered: 'You could not be remembered',
  notAllowed: 'The settings of this browser do not allow pages to keep anything.',
  forgotten: 'Forgotten',
  forgottenText: 'This browser no longer keeps anything about you.',
}

export const consentNote = {
  child: 'Searching for a child? Only their parent or guardian may do that.',
  onlyYours: 'Take a photo of your child only if you are its parent or guardian.',
  pleaseTick: 'Please tick the box if you agree',
  policy: 'Privacy Policy',
}

export const selfiePicker = {
  add: 'Add another selfie for better results',
  yours: 'Your selfie',
  removeOne: (name: string) => `Remove ${name}`,
  remove: 'Remove',
  label: 'Upload a selfie',
  drop: 'Drop your selfie here',
  orBrowse: 'or click to browse',
  hint: 'PNG, JPG, GIF, WEBP up to 10MB',
  take: 'Take a selfie',
}

export const selfieFile = {
  tooMany: 'Too many files',
  tooManyText: 'Please choose one photo',
  wrongType: 'Invalid file type',
  wrongTypeText: 'Please upload an image file (JPG, PNG, etc.)',
  tooLarge: 'File too large',
  tooLargeText: (megabytes: number) => `Please upload an image smaller than ${megabytes}MB`,
  tooSmall: 'File too small',
  tooSmallText: 'This file is empty. Please choose another photo',
}

export const selfieWait = {
  starts: <P>(why: string, time: P) => sentence`${why} This page tries again by itself in ${time}.`,
  noSearch: 'The service cannot search at the moment.',
  manySearches: 'Many guests are searching for their photos at the moment.',
}
