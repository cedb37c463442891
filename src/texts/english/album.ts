/** Texts of an album's page, but for the search. */
import { digits } from '../numbers.ts'
import { sentence } from '../sentence.ts'
import { photos, plural } from './counts.ts'

export const album = {
  notFoundReason: 'Album not found',
  backToProgress: 'Back to the progress',
  dropSelfie: 'Drop a selfie to see every photo you are in.',
  preparing: 'The album is being prepared.',
  opening: 'Opening the album',
  notFound: 'Album Not Found',
  browseAlbums: 'Browse Photo Albums',
  notFoundText: 'This album does not exist or has not been processed yet.',
  notOpened: 'The album could not be opened',
}

export const passwordGate = {
  organisers:
    'Are you the organiser? Copy the whole private link from your letter, also what stands behind the #.',
  hasEnded:
    'Your access to this album has ended. The organiser may have changed the password, or you have logged out in another tab.',
  selfieKept: 'Your selfie is still here.',
  missing: 'Missing information',
  missingText: 'Please enter the album password',
  granted: 'Access granted!',
  welcome: (albumName: string) => `Welcome to ${albumName}`,
  title: 'Access Album',
  again: 'Please enter the password again',
  notOrganiser: 'You are no longer the organiser here',
  notOrganiserText:
    'This album has a new owner key. With the new private link you are its organiser again. With the password you enter as a guest.',
  label: 'Album password',
  hint: 'No password? Please contact the album owner.',
  enter: 'Access Album',
  failed: 'Failed to authenticate. Please try again.',
  denied: 'Access denied',
  invalid: 'Invalid password',
}

export const passwordField = {
  hidePassword: 'Hide password',
  showPassword: 'Show password',
  hide: 'Hide',
  show: 'Show',
}

export const inAppNotice = {
  explanation: (app = 'This app') =>
    `${app} opens it in its own browser. Passwords and downloads often fail there.`,
  onAndroid: 'Tap the button, or copy the link.',
  elsewhere: 'Tap ••• and then “Open in browser”, or copy the link.',
  title: 'Open this page in your browser',
  open: 'Open in browser',
}

export const progressView = {
  uploaded: (done: number, total: number) => `${digits(done)} of ${digits(total)} photos uploaded`,
  indexed: (done: number, total: number) => `${digits(done)} of ${digits(total)} photos indexed`,
  notStarted: 'NOT STARTED YET',
  inProgress: 'IN PROGRESS',
  done: 'DONE',
  failed: (reason: string) => `Failed to load progress: ${reason}`,
  noReason: 'Failed to fetch progress',
  uploading: 'Step 1: Uploading to the cloud',
  indexing: 'Step 2: Running facial recognition algorithm',
  completed: 'Processing is complete',
  redirecting: 'Redirecting you to the search...',
  processing: 'The photos are still being processed. You can leave this page and come back later.',
  ofAnotherEngine:
    'Nobody is found in this album at the moment: the face search of this site was changed. Whoever runs the site has to let the photos be indexed again.',
  triesAgain: 'The page tries again every few seconds.',
}

export const browseLink = {
  question: 'Prefer not to use a selfie?',
  browse: 'Browse all photos',
  seeAll: 'See all photos',
  search: 'Search with a selfie',
}

export const browsePhotos = {
  title: 'All photos',
  titleWith: (count: number) => plural(count, { one: photos(count), other: `All ${photos(count)}` }),
  closed: 'Not open to guests',
  closedText:
    'The organiser has not opened all photos of this album to guests. A selfie finds those you are in.',
  none: 'No photos yet',
  noneText: 'The photos appear here as soon as they have been prepared.',
  loading: 'Loading the photos...',
  showing: (count: number, total: number) => `Showing ${digits(count)} of ${photos(total)}`,
  notLoaded: 'The photos could not be loaded',
}

export const deletePhotos = {
  question: (count: number) => `Delete ${photos(count)} for good?`,
  text: (count: number) =>
    `${plural(count, { one: 'It leaves', other: 'They leave' })} the album at once, for you and for all guests. This cannot be undone.`,
  forGood: 'Delete for good',
  deleting: 'Deleting...',
  failed: 'The photos could not be deleted',
  deleted: (count: number) => `${photos(count)} deleted`,
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

export const ownerLetters = {
  title: 'Letters about this album',
  goTo: <P>(address: P) => sentence`They go to ${address}.`,
  wait: <P>(address: P, hours: number) =>
    sentence`We have sent a letter to ${address}. Press its button within ${digits(hours)} hours. Until then nothing changes.`,
  change: 'Change the address',
  changeAgain: 'Enter another address',
  email: 'New email address',
  hint: 'Before the first letter about this album the address changes at once. Later a letter asks you to confirm the new one. A present address that was confirmed then gets a notice.',
  save: 'Save the address',
  saving: 'Saving...',
  notSaved: 'The address could not be changed',
  notLoaded: 'The address could not be loaded',
}

/** Above an upload. */
export const lettersTo = {
  goTo: <P>(address: P) => sentence`The link and the password go to ${address}.`,
}

/** Below an album of its owner. */
export const ownerPhotos = {
  title: 'Photos of this album',
  text: 'You are the organiser of this album. Guests find new photos as soon as their faces are indexed.',
  add: 'Add photos',
}

export const ownerName = {
  title: 'Name of this album',
  rename: 'Rename',
  name: 'New name',
  hint: 'Pages and letters show it from now on. The link of the album stays the same.',
  save: 'Save the name',
  saving: 'Saving...',
  notSaved: 'The name could not be changed',
}

export const uploadHere = {
  otherBrowser:
    'To add photos, use the browser in which you created this album, or open your private link in this one.',
  notKept:
    'This browser did not keep the key to your album: its settings forbid it, or its storage is full. Allow this site to keep data, or free some space. Then open your private link again.',
}

export const nothingUploaded = {
  title: 'Nothing has been uploaded yet',
  forGuests: 'The album opens by itself when the organiser has uploaded the photos.',
  here: 'Upload your photos. This page then shows the progress.',
  upload: 'Upload photos',
}
