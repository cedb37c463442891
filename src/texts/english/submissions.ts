/** Texts of the selfie page and of its results. */
import { sentence } from '../sentence.ts'
import { photos } from './counts.ts'

export const selfie = {
  title: (eventName: string) => `Find your photos at ${eventName}`,
  subtitle: <P>(library: P) =>
    sentence`Upload a selfie: facial recognition matches it with every photo of the event and shows you those you are in. You can also browse the ${library}.`,
}

export const selfieForm = {
  failed: 'Upload failed',
  label: <P>(quiet: (text: string) => P) => sentence`Upload a selfie ${quiet('(required)')}`,
  missing: 'Please select a photo file',
  processing: 'Processing...',
  find: 'Find my photos',
  onlyUsed: 'Your selfie is only used to find you and is deleted after processing.',
  notSubmitted: 'Failed to submit photo',
}

export const selfieResults = {
  processing: 'Processing Your Photo',
  pleaseWait: 'Please wait while we search for your photos...',
  notLoaded: 'Loading Error',
  reload: 'Reload Results',
  gone: 'These results are no longer available: for your privacy they are deleted soon after they are shown. A new search finds your photos again.',
  notLoadedText: 'The results could not be loaded. Please try again in a moment.',
  invalid: 'Invalid Request',
  noId: 'No submission ID provided.',
  none: 'No Photos Found',
  another: 'Try Another Photo',
  noneText:
    'We did not find you in these photos. You may not be in them, or the selfie was not clear enough: face the camera, in good light, on your own.',
  notMatched: 'Your search has failed',
  notMatchedText:
    'We could not search with your selfie in time, so it was deleted. You may be in these photos. Please try again.',
  isItYou: 'Is this you?',
  expired: 'These results have expired',
  expiredText:
    'For your privacy, links to photos end after an hour, and when the album gets a new password. A new search finds your photos again.',
}

export const selfieNoResults = {
  notClear: 'Your photo may not be clear enough.',
  notThere: 'You may not appear in the photos yet.',
  clearer: 'Try a clearer selfie.',
  facing: 'Face the camera directly.',
  title: 'No Photos Found',
  another: 'Try with a Different Photo',
  sorry: 'Sorry, there were no matched photos found.',
  browse: <P>(library: P) => sentence`Or browse the ${library}.`,
}

export const resultsGallery = {
  title: 'Here are your detected photos.',
  found: (count: number) => `We found ${photos(count)} of you.`,
  loadingPhotos: '(Loading photos...)',
  downloadNow:
    'Please download the photos you like now. For your privacy, we delete these results 30 seconds after they appear, and the address of a zip ends with them. They stay on this page, which can download them for an hour, but a reload will not bring them back.',
  loadingYourPhotos: 'Loading your photos...',
  thanks: 'Thank you for using Inframe. Selfies are deleted after processing, and so are these results.',
  notLoaded: 'The photos could not be loaded',
  noReason: 'no reason given',
}

export const libraryLink = {
  library: 'public photo library',
  albums: 'photo albums',
}
