/** All texts of the web app and of the letters, in English. Each table has the texts of one page or module, which loads
 *  only these: see scripts/texts-plugin.ts. A text with values is a function of them. A sentence with links or other
 *  elements takes them as they are, or with the text that they enclose.
 *  Sentences that the service writes, as in errors, are in src/contract and at their rules. */

import { digits, type PluralForms, pluralOf } from './numbers.ts'
import { sentence } from './sentence.ts'

const plural = (count: number, forms: PluralForms) => pluralOf('en', count, forms)
const photos = (count: number) => `${digits(count)} ${plural(count, { one: 'photo', other: 'photos' })}`
const capitalPhotos = (count: number) =>
  `${digits(count)} ${plural(count, { one: 'Photo', other: 'Photos' })}`
const are = (count: number) => plural(count, { one: 'is', other: 'are' })

/** A language: all its tables. Another one is a file like this that has this type. */
export type Texts = typeof import('./english.ts')

/** The pages' names in the browser's tab, by their names in PAGES. */
export const pageTitles = {
  getStarted: 'Get Started',
  bulkUpload: 'Upload photos',
  uploadSuccess: 'Upload started',
  albums: 'Browse Photo Albums',
  album: 'Album',
  selfie: 'Upload a selfie',
  selfieResults: 'Your photos',
  selfieNoResults: 'No Photos Found',
  oauthHelper: 'Gmail OAuth Setup',
  gmailOauth: 'Gmail OAuth Setup',
  stopLetters: 'Stop letters',
  hidePhotos: "A guest's wish",
  photoLetters: 'Letters about new photos',
  privacyPolicy: 'Privacy Policy',
  termsOfService: 'Terms of Service',
  photoTrouble: 'Photo',
  notFound: 'Page Not Found',
}

/** Texts of several pages. */
export const common = {
  tryAgain: 'Try again',
  success: 'Success',
  backToHome: 'Back to Home',
  startNewSearch: 'Start New Search',
  loading: 'Loading...',
  showMore: 'Show more',
  error: 'Error',
}

export const siteFrame = {
  skip: 'Skip to content',
  mainNavigation: 'Main',
  home: 'Home',
  howItWorks: 'How it works',
  motto: 'Inframe: event photos that find their people.',
  footNavigation: 'Foot',
  albums: 'Albums',
  privacy: 'Privacy',
  terms: 'Terms',
}

export const pageTrouble = {
  offline: 'You are offline',
  offlineAdvice: 'Please try again when you are connected.',
  broken: 'This page could not be shown',
  brokenAdvice: 'Something went wrong on our side. Trying again may help.',
  tryAgain: 'Try again',
}

export const landing = {
  lead: 'Facial recognition, without the friction',
  title: 'Let facial recognition do your photo tagging.',
  subtitle:
    'Upload your event photos and get a shareable link. Attendees drop a selfie to find every photo they are in.',
  getStarted: 'Get Started',
  picture: 'Party photos. The guest whose selfie is on the phone is marked in four of them.',
  howItWorks: 'How It Works',
  steps: '- 4 simple steps',
  upload: 'Upload Event Photos',
  uploadText: 'Bulk upload your photos, thousands at a time, to create an album.',
  faces: 'AI Recognition Magic',
  facesText: 'Every photo is scanned, and a searchable face index is built automatically.',
  share: 'Share Your Album',
  shareText: 'You get a unique, password-protected link for everyone who was there.',
  find: 'Find Your Moments',
  findText: 'Anyone uploads a selfie at the private link and sees all photos featuring them.',
  promises: 'What you can rely on',
  selfies: 'Selfies are not kept',
  selfiesText: 'Each one is deleted after processing, within 5 minutes at the latest.',
  guests: 'Only for your guests',
  guestsText: 'Nobody opens an album without its link and its password.',
  metadata: 'Nothing given away',
  metadataText: 'The photos that guests receive carry no location and no camera data.',
  createAlbum: 'Create your album',
}

export const hidePhotos = {
  about: <P>(count: number, albumName: string, name: (text: string) => P) =>
    sentence`It is about ${photos(count)} of your album ${name(`“${albumName}”`)}. Hidden photos are shown to nobody: no search finds them, and nobody can download them. They stay in the album, and you can show them again.`,
  areHidden: (count: number) => `The ${photos(count)} ${are(count)} hidden.`,
  areShown: (count: number) => `The ${photos(count)} ${are(count)} shown.`,
  title: 'A guest asks you to hide photos',
  notSaved: 'Your answer could not be saved',
  notLoaded: 'The photos could not be loaded',
  number: (place: number) => `Number ${place}`,
  these: (count: number) => `These are ${count} of them.`,
  hide: (count: number) => `Hide ${photos(count)}`,
  showAgain: 'Show them again',
  keep: 'Keep them',
  unknownLink: 'This link is not valid',
  unknownLinkText: 'Please open the whole link from the letter. The album may have been erased.',
}

export const uploadSuccess = {
  started: 'Upload Started Successfully!',
  processing: <P>(count: number, albumName: string, email: string, strong: (text: string) => P) =>
    sentence`${strong(photos(count))} ${are(count)} being processed for ${strong(albumName)}. We will notify you at ${strong(email)}.`,
  alreadyThere: 'Already in the Album',
  nothingNew: <P>(count: number, albumName: string, strong: (text: string) => P) =>
    sentence`${strong(photos(count))} ${are(count)} already in ${strong(albumName)}. Nothing new was uploaded.`,
  reached: <P>(count: number, albumName: string, strong: (text: string) => P) =>
    sentence`${strong(photos(count))} reached ${strong(albumName)} before the album was removed.`,
  storage: 'Secure cloud storage',
  storageText: 'Your photos are stored safely.',
  indexing: 'AI face indexing',
  indexingText: 'Every photo is scanned for faces.',
  ready: 'Album ready for friends to search',
  readyText: 'Anyone with the link and password can find themselves.',
  letter: 'Email with album link',
  letterText: 'You get the link and the password to share.',
  createAnother: 'Create Another Album',
  createNew: 'Create a new album',
  uploadMore: 'Upload more photos to this album',
  address: "Your album's address",
  addressText:
    "Guests find their photos here. They also need the password. When the photos are processed, the album's page shows it to you.",
  watchProgress: 'Watch progress',
  next: 'What happens next',
  nextText:
    'Processing may take minutes to a few hours. Albums of 1000+ photos may take several hours. You can close this page.',
}

export const albums = {
  title: 'Browse Photo Albums',
  subtitle: 'Find your event, then yourself. Each album opens with its own password.',
  loading: 'Loading albums',
  failed: 'Failed to fetch albums',
  none: 'No Albums Yet',
  create: 'Create Album',
  beTheFirst: "Be the first: upload your event's photos and share one link.",
}

export const bulkUpload = {
  title: 'Upload photos',
  album: <P>(name: P) => sentence`Album: ${name}`,
  uploading: 'Uploading...',
  upload: (count: number) => `Upload ${capitalPhotos(count)}`,
}

export const getStarted = {
  beforeUploading: 'Create an album before you upload photos',
  beforeSearching: 'Create an album before you search with a selfie',
  failed: 'Failed to set up album. Please try again.',
  succeeded: 'Album setup completed successfully!',
  title: 'Get Started',
  subtitle: 'Set up your album.',
  noAlbumYet: <P>(link: (text: string) => P) =>
    sentence`No album has been created in this browser yet. If you were invited to an event, find its album instead: ${link('browse the photo albums')}.`,
  closed: 'New albums cannot be created here at the moment',
  closedText: <P>(link: (text: string) => P) =>
    sentence`The people who run this service do not take new albums. Albums that exist work as before: ${link('browse the photo albums')}.`,
  yourInformation: 'Your Information',
  email: 'Email Address',
  emailExample: 'Enter your email',
  emailHint: "We send the album's link and password here.",
  albumName: 'Album Name',
  albumNameExample: 'My Summer Wedding, 2025',
  code: 'Invitation Code',
  codeHint: 'Albums are created by invitation here. Ask the people who run this service for a code.',
  starting: 'Getting Started...',
  start: 'Continue to Photo Upload',
}

export const gmailOauth = {
  title: 'Gmail OAuth Setup',
  subtitle: 'For the people who run Inframe: send its letters from a Gmail account.',
  gotCode: 'Google has sent the code',
  pressExchange: 'Press Exchange Code for Tokens to finish.',
  error: (message: string) => `Error: ${message}`,
  notPermitted:
    'Google did not give the permission. Generate a new OAuth URL and allow everything that Google asks for.',
  generateStep: 'Generate the OAuth URL, and allow Inframe to send mail from the account you choose.',
  returnStep: 'Google sends you back here with the authorization code. You can also paste the code below.',
  exchangeStep:
    'Exchange the code, and check the console for the refresh token. You do not have to copy it: Inframe stores it encrypted.',
}

export const notFound = {
  title: '404 Page Not Found',
  findPhotos: 'Find your photos',
  text: "The page you're looking for doesn't exist.",
}

export const oauthHelper = {
  notGenerated: 'Failed to generate auth URL',
  title: 'Gmail OAuth Setup',
  subtitle: 'For the people who run Inframe: send its letters from a Gmail account.',
  generate: 'Generate Auth URL',
  error: 'Error generating auth URL',
  authorize: 'Authorize Gmail Access',
  nextTab:
    'It opens in a new tab and is valid for 15 minutes. Google then sends you to the page where you finish.',
}

export const photoTrouble = {
  title: 'This photo cannot be shown',
  browse: 'Browse Photo Albums',
  available: 'It is available again. Please try again.',
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
  expired: 'These results have expired',
  expiredText: 'For your privacy, links to photos end after an hour. A new search finds your photos again.',
}

export const selfie = {
  title: (eventName: string) => `Find your photos at ${eventName}`,
  subtitle: <P>(library: P) =>
    sentence`Upload a selfie: facial recognition matches it with every photo of the event and shows you those you are in. You can also browse the ${library}.`,
}

export const stopLetters = {
  title: 'This was not me',
  text: 'Somebody entered your email address for a photo album. Press the button, and no more letters about this album come to you.',
  failed: 'The letters could not be stopped',
  stopping: 'Stopping...',
  stop: 'Stop these letters',
  hadStopped: 'The letters had already stopped',
  stopped: 'The letters have stopped',
  stoppedText: "No more letters about this album come to your address. The album's owner does not see this.",
  unknownLink: 'This link is not valid',
  unknownLinkText:
    'Please open the whole link from the letter. If the album has been removed, no more letters about it are sent.',
}

export const libraryLink = {
  library: 'public photo library',
  albums: 'photo albums',
}

export const resultsGallery = {
  title: 'Here are your detected photos.',
  found: (count: number) => `We found ${photos(count)} of you.`,
  loadingPhotos: '(Loading photos...)',
  downloadNow:
    'Please download the photos you like now. For your privacy, we delete these results 30 seconds after they appear. They stay on this page, but a reload will not bring them back.',
  loadingYourPhotos: 'Loading your photos...',
  thanks: 'Thank you for using Inframe. Selfies are deleted after processing, and so are these results.',
  notLoaded: 'The photos could not be loaded',
  deleted: 'These results have been deleted. A new search finds your photos again.',
  load: 'Load the photos',
  noReason: 'no reason given',
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

export const albumCard = {
  created: <P>(date: P) => sentence`Created ${date}`,
  findIn: (albumName: string) => `Find My Photos in ${albumName}`,
  find: 'Find My Photos',
}

export const albumCards = {
  failed: 'Failed to fetch albums',
  end: 'These are all the albums.',
}

export const exchangeCode = {
  success: 'Success!',
  received: 'Refresh token received.',
  notReceived: 'No refresh token received',
  checkConsole: 'Check console for tokens.',
  failed: 'Failed to exchange authorization code',
  missing: 'Please enter the authorization code',
  code: 'Authorization Code',
  codeHint: 'The code, or the whole address that Google sent you to.',
  exchange: 'Exchange Code for Tokens',
  done: 'Letters now go through this Gmail account',
  doneText:
    'The refresh token is stored encrypted. It was also written once to the console that Inframe runs in. Nothing else is left to do.',
  noToken: 'Google gave no refresh token',
  noTokenText: 'Nothing has changed. Generate a new OAuth URL and try again.',
}

export const generateUrl = {
  failed: 'Failed to generate auth URL',
  generate: 'Generate OAuth URL',
  error: 'Error generating auth URL',
  noNewTab: <P>(link: (text: string) => P) =>
    sentence`No new tab? ${link('Open the address')}. It is valid for 15 minutes.`,
}

export const redirectAddresses = {
  title: 'Redirect addresses to register',
  text: "Add them to the OAuth client in Google's console, exactly as they are here:",
}

export const setupLink = {
  opening: 'Opening the set-up link…',
  done: 'This browser can now set up Gmail',
  doneText: 'It can do so for a day. The link does not work again in another browser.',
  error: (message: string) => `Error: ${message}`,
}
