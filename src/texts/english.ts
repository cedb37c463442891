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
const files = (count: number) => `${digits(count)} ${plural(count, { one: 'file', other: 'files' })}`
const minutes = (count: number) => `${digits(count)} ${plural(count, { one: 'minute', other: 'minutes' })}`
const faces = (count: number) => `${digits(count)} ${plural(count, { one: 'face', other: 'faces' })}`
const are = (count: number) => plural(count, { one: 'is', other: 'are' })

/** Of selfies. */
const ORDINALS = ['first', 'second', 'third']
/** Numbers in letters: the reader's settings are not known. */
const inEnglish = (count: number) => count.toLocaleString('en-US')

/** The tables that another language has, too. */
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
  letterAddress: 'Letters about an album',
  optOut: 'Your receipt',
  optOuts: 'Guests who opted out',
  photoLetters: 'Letters about new photos',
  privacyPolicy: 'Privacy Policy',
  termsOfService: 'Terms of Service',
  photoTrouble: 'Photo',
  notFound: 'Page Not Found',
}

/** What search engines and messaging apps show of a page. */
export const pageHeads = {
  description:
    'Upload your event photos, share one link, and let every guest find the photos they are in with a selfie.',
  invitation: (albumName: string) => `Find yourself in ${albumName}`,
  invitationText: "Open the album with its password, drop a selfie, and see every photo you're in.",
  picture: 'Drawn party photos in which one guest is found.',
}

export const units = {
  seconds: (count: number) => `${digits(count)} ${plural(count, { one: 'second', other: 'seconds' })}`,
  minutes,
  bytes: (count: number) => `${count} Bytes`,
  kilobytes: (count: string) => `${count} KB`,
  megabytes: (count: string) => `${count} MB`,
  perSecond: (amount: string) => `${amount}/s`,
}

export const timeLeft = {
  fewSeconds: 'a few seconds left',
  seconds: (count: number) => `about ${count} seconds left`,
  minutes: (count: number) => `about ${plural(count, { one: 'a minute', other: `${count} minutes` })} left`,
  hours: (count: number) =>
    `about ${plural(count, { one: 'an hour', other: `${digits(count)} hours` })} left`,
}

/** Texts of several pages. */
export const common = {
  tryAgain: 'Try again',
  cancel: 'Cancel',
  success: 'Success',
  backToHome: 'Back to Home',
  startNewSearch: 'Start New Search',
  loading: 'Loading...',
  showMore: 'Show more',
  error: 'Error',
  close: 'Close',
  readingFiles: 'Reading the files...',
  done: 'Done',
  download: 'Download',
  share: 'Share',
}

export const siteFrame = {
  skip: 'Skip to content',
  mainNavigation: 'Main',
  home: 'Home',
  howItWorks: 'How it works',
  motto: 'Inframe: event photos that find their people.',
  footNavigation: 'Footer',
  albums: 'Albums',
  privacy: 'Privacy',
  terms: 'Terms',
}

export const pageTrouble = {
  offline: 'You are offline',
  offlineAdvice: 'Please try again when you are connected.',
  broken: 'This page could not be shown',
  brokenAdvice: 'Something went wrong on our side. Trying again may help.',
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
  metadataText:
    'The photos that guests receive carry no location and no camera, only the time they were taken.',
  createAlbum: 'Create your album',
}

export const uploadSuccess = {
  blocked: (count: number) => `${files(count)} ${plural(count, { one: 'was', other: 'were' })} blocked`,
  blockedText: 'They were not sent, and are not in the album.',
  started: 'Upload Started Successfully!',
  processing: <P>(count: number, albumName: string, email: string, strong: (text: string) => P) =>
    sentence`${strong(photos(count))} ${are(count)} being processed for ${strong(albumName)}. We will notify you at ${strong(email)}.`,
  thereBefore: (count: number) =>
    `${digits(count)} more ${plural(count, { one: 'was', other: 'were' })} already in the album.`,
  allSent: 'All photos are sent. You can close this page.',
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
  keepLink: 'Your private link',
  keepLinkText:
    'Keep this link: it is how you come back, also in another browser. It gives all rights over the album, so share it with nobody.',
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
  upload: (count: number) => (count === 0 ? 'Upload Photos' : `Upload ${capitalPhotos(count)}`),
  /** Every chosen photo is in the album. */
  goOn: 'Continue',
}

/** On the landing page and above the form for a new album. */
export const yourAlbums = {
  title: 'Your albums',
  continueWith: (albumName: string) => `Continue with ${albumName}`,
  logOutOf: (albumName: string) => `Log out of ${albumName}`,
  all: 'All your albums',
}
export const keyNotKept = {
  title: 'This browser does not let this site keep anything',
  text: 'Its settings forbid it, or its storage is full. Then you could not come back to your album. Allow this site to keep data, or free some space, and try again.',
  created: 'The album has been created. Keep this link: it is how you come back. Share it with nobody.',
}
export const getStarted = {
  chooseAlbum: 'Choose one of your albums, or create a new one',
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
    sentence`The people who run this service do not accept new albums. Existing albums work as before: ${link('browse the photo albums')}.`,
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
  available: 'The photo is available again. Please try again.',
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
  notMatched: 'Your search has failed',
  notMatchedText:
    'We could not search with your selfie in time, so it was deleted. You may be in these photos. Please try again.',
  isItYou: 'Is this you?',
  expired: 'These results have expired',
  expiredText: 'For your privacy, links to photos end after an hour. A new search finds your photos again.',
  refusedText:
    'The album has a new password, and the links to its photos ended with the old one. A new search finds your photos again.',
}

export const selfie = {
  title: (eventName: string) => `Find your photos at ${eventName}`,
  subtitle: <P>(library: P) =>
    sentence`Upload a selfie: facial recognition matches it with every photo of the event and shows you those you are in. You can also browse the ${library}.`,
}

/** A link of a letter that some program has cut off before its `#`. */
export const cutOffLink = {
  title: 'This link is not whole',
  text: "Copy the whole link from the letter's text.",
}

export const stopLetters = {
  title: 'This was not me',
  text: 'Somebody entered your email address for a photo album. Press the button to stop all letters about this album.',
  failed: 'The letters could not be stopped',
  stopping: 'Stopping...',
  stop: 'Stop these letters',
  hadStopped: 'The letters have already stopped',
  stopped: 'The letters have stopped',
  stoppedText: 'You get no more letters about this album. The organiser does not see this.',
  unknownLink: 'This link is not valid',
  unknownLinkText:
    'Please open the whole link from the letter. If the album has been removed, no more letters about it are sent.',
}

export const letterAddress = {
  title: 'Letters about an album',
  text: 'Press the button, and letters about the album come to this address. They have its link and its password.',
  yes: 'Yes, send them here',
  confirming: 'Confirming...',
  notConfirmed: 'Your address could not be confirmed',
  confirmed: 'Your address is confirmed',
  confirmedText: <P>(albumName: string, name: (text: string) => P) =>
    sentence`Letters about ${name(`“${albumName}”`)} now come to this address.`,
  openAlbum: 'Open the album',
  tooLate: 'This link has ended',
  unknownLink: 'This link is not valid',
  unknownLinkText: 'Please open the whole link from the letter.',
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
    'Please download the photos you like now. For your privacy, we delete these results 30 seconds after they appear, and the address of a zip ends with them. They stay on this page, which can download them for an hour, but a reload will not bring them back.',
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
  opening: 'Opening the set-up link...',
  done: 'This browser can now set up Gmail',
  doneText: 'It can do so for a day. The link does not work again in another browser.',
  error: (message: string) => `Error: ${message}`,
}

export const failures = {
  noAnswer: 'The service could not be reached. Please check your internet connection.',
  connectionLost: 'The connection was lost',
  noAnswerWithin: (seconds: number) => `No answer within ${digits(seconds)} seconds`,
  unreadable: 'The answer could not be read',
  partNotLoaded: 'A part of this page did not load',
  unknown: 'Something went wrong. Please try again.',
}

export const upload = {
  nothingSelected: 'No photos selected',
  selectPhotos: 'Please select photos to upload',
  retrying: 'Retrying failed batches',
  batchFailed: (batch: number) => `Batch ${digits(batch)} failed`,
  batchFailedText: (reason: string) => `Error: ${reason}. Will retry after other batches complete.`,
  batchRetried: (batch: number) => `Batch ${digits(batch)} retry successful!`,
  batchRetriedText: (count: number) => `${photos(count)} uploaded on retry`,
  retryFailed: (batch: number) => `Batch ${digits(batch)} retry failed`,
  retryFailedText: (count: number) => `${photos(count)} still failed after retry`,
  alreadyThere: 'Already in the album',
  alreadyThereText: (count: number) => `${photos(count)} ${are(count)} already in the album`,
  alreadyThereAndFailed: (count: number, failed: number) =>
    `${photos(count)} ${are(count)} already in the album, ${digits(failed)} failed`,
  noneUploaded: 'Upload failed',
  noneUploadedText: 'No photos were uploaded successfully. Please try again.',
  completed: 'Upload completed!',
  completedText: (count: number, failed: number) =>
    `${photos(count)} uploaded successfully, ${digits(failed)} failed`,
  completedWithRetries: (count: number, failed: number, batches: number) =>
    `${photos(count)} uploaded successfully (including ${digits(batches)} retried batches), ${digits(failed)} failed`,
  missing: (count: number) => `${photos(count)} ${are(count)} missing`,
  uploadedBefore: (count: number) =>
    plural(count, {
      one: 'This photo is already in the album',
      other: `All ${digits(count)} photos are already in the album`,
    }),
  partlyUploadedBefore: (count: number, total: number) =>
    `${digits(count)} of ${digits(total)} photos ${are(count)} already uploaded; sending the other ${digits(total - count)}`,
  lastStopped: (done: number, total: number) =>
    `The last upload stopped at ${digits(done)} of ${digits(total)} photos`,
  lastStoppedText: 'Choose the same photos or folder again: only what is missing will be sent.',
  offline: 'You are offline. The upload goes on by itself when the connection is back.',
  busy: 'The service asks you to wait',
  answeredInFront: (status: number) =>
    `Something between this browser and the service answers in its place (${digits(status)})`,
  refusedInFront: (status: number) =>
    `Something between this browser and the service refuses the upload (${digits(status)})`,
  tooLargeInFront: 'Something between this browser and the service refuses a photo of this size',
  noneUsable: 'None of these files could be used.',
  tryAgain: 'Please try again or check your internet connection',
  failed: 'Upload Failed',
  failedText: 'Please try again',
  refused: 'The file was refused',
  notSent: 'It was not sent, because the upload ended early.',
  unreadable: 'This file has been moved or changed since it was chosen. Choose it again.',
  uploading: 'Uploading',
  uploaded: (percent: number) => `${percent}% of the photos uploaded`,
  pace: (speed: string, timeLeft: string) => `${speed} · ${timeLeft}`,
  comeBackLater: (reason: string) =>
    `${reason}. Please come back later. Then choose the same photos again: uploaded photos are kept, and only the missing ones will be sent.`,
  comeBackIn: (wait: number) =>
    `The service is too busy and asks you to come back in ${minutes(wait)}. Then choose the same photos again: uploaded photos are kept, and only the missing ones will be sent.`,
  albumGone: 'This album no longer exists. Please create a new one.',
  notAllowed:
    "This browser may no longer add photos to this album. You have logged out, or the album has a new owner key. Open the album's private link, or create a new album.",
}

export const blockedFiles = {
  invalid: 'Invalid file',
  more: (count: number) => `...and ${digits(count)} more`,
  title: (count: number) => `${files(count)} blocked`,
  group: (count: number, reason: string) => `${files(count)}: ${reason}`,
  dismiss: 'Dismiss list',
  cannotShrink: 'This browser cannot make photos smaller. A current Chrome, Edge, Firefox or Safari can.',
  shrink: 'Make them smaller and upload all',
  shrinkText: (count: number) =>
    `This browser makes a smaller copy of ${photos(count)}. Your originals stay as they are. The copies do not keep the date and place of the photo.`,
}

export const shrinking = {
  notOpened: 'The browser could not open this photo. It may be damaged.',
  notExact: 'The browser does not let this page copy pictures exactly. A privacy setting may be the reason.',
  tooLittleMemory: 'The browser has too little memory for this photo.',
}

export const uploadOutcome = {
  title: (count: number) => `${photos(count)} uploaded`,
  next: 'Taking you to the next step...',
  beforeAndNext: (count: number) =>
    `${digits(count)} of them ${plural(count, { one: 'was', other: 'were' })} already in the album. Taking you to the next step...`,
  failed: 'Upload failed',
  createNew: 'Create a new album',
}

export const previewGrid = {
  more: (count: number) => `and ${digits(count)} more ${plural(count, { one: 'photo', other: 'photos' })}`,
  selected: (count: number) => `${photos(count)} selected`,
  clear: 'Clear All',
  remove: (filename: string) => `Remove ${filename}`,
}

export const shareCard = {
  copiedPassword: 'password',
  qrCode: 'QR code',
  qrCodeText:
    'Guests scan it to open the album. Tap it to enlarge it, or to save it and print it for the tables.',
  title: 'Share This Album',
  text: 'Everyone in the photos can find themselves.',
  email: 'Email',
  moreWays: 'More ways to share',
  password: 'Album password',
  passwordText: 'Guests need it to open the album. The WhatsApp and email messages contain it.',
  notShared: 'Could not share the album',
  copyInstead: 'Please copy the link instead.',
}

export const copyLine = {
  copy: (name: string) => `Copy ${name}`,
  copied: (name: string) => `Copied the ${name}`,
  notCopied: (name: string) => `Could not copy the ${name}`,
  selected: 'It is selected: please copy it by hand.',
  link: 'link',
}

export const legalText = {
  updated: (date: string) => `Last updated: ${date}`,
  additions: 'Additions since',
  addition: (date: string, text: string) => `${date}: ${text}`,
}

export const toasts = {
  label: 'Notification',
  dismiss: 'Dismiss',
}

export const qrCode = {
  showLarge: 'Show the QR code large',
  explanation: "Point a phone's camera at the code to open the album.",
  nameOf: (address: string) => `QR code of ${address}`,
  save: 'Save as picture',
}

export const shareLinks = {
  subject: (albumName: string) => `Photos from ${albumName}`,
  message: (albumName: string, address: string, password: string) =>
    `Find your photos from ${albumName}!\n${address}\nPassword: ${password}`,
}

export const leavingGuard = {
  title: 'Leave and stop the upload?',
  stay: 'Stay and go on',
  leave: 'Leave the page',
  text: 'Photos are still being uploaded. Photos that are already uploaded are kept. To send the rest later, choose the same photos again.',
}

export const photoPicker = {
  label: 'Choose photos to upload',
  drop: 'Drop photos or folders here',
  orBrowse: 'or click to browse',
  hint: 'JPEG and PNG, up to 5 MB each.',
  albumHolds: (count: number, gigabytes: number) =>
    `An album holds up to ${photos(count)}, or ${digits(gigabytes)} GB.`,
  chooseFolder: 'Choose a whole folder',
}

export const uploadProgress = {
  label: 'Upload progress',
  photos: (done: number, total: number) => `${digits(done)} of ${digits(total)} photos`,
  bytes: (done: string, total: string) => `${done} of ${total}`,
  upload: 'Upload',
  keepOpen: 'Keep this page open until every photo is sent.',
  shrinking: (count: number, total: number) => `Making photo ${digits(count)} of ${digits(total)} smaller`,
  stop: 'Stop the upload',
  goesOn: <P>(why: string, time: P) => sentence`${why} The upload goes on by itself in ${time}.`,
}

export const termsOfService = {
  title: 'Terms of Service',
  date: 'August 19, 2025',
  /** What has changed since, the oldest first. */
  additions: [
    {
      date: 'November 23, 2026',
      text: '"Ending and changing" says that what is added is named with its date at the top of this page.',
    },
  ],
  sections: [
    {
      heading: 'What the service is',
      body: [
        "Inframe stores the photos of an event, finds the faces in them, and lets anyone with the album's link and password search it with a selfie. By using it you agree to these terms and to the Privacy Policy.",
      ],
    },
    {
      heading: 'If you create an album',
      body: [
        [
          'Upload only photos that you took or may share.',
          'Tell the people in them that faces are recognised automatically, and get their consent where the law requires it. For children, their parents give it.',
          'Give the password only to people who should see the photos. The browser in which you created the album keeps its key, so anyone who uses that browser can add photos.',
          'Photos are JPEG or PNG, at most 5 MB each. Keep your own originals: an album is no backup.',
        ],
      ],
    },
    {
      heading: 'If you are a guest',
      body: [
        [
          'Search with a selfie of your own face, or of someone who asked you to.',
          'Use what you find with respect for the other people in the photo.',
          "Do not pass the password on without the organiser's consent.",
        ],
      ],
    },
    {
      heading: 'What nobody may do',
      body: [
        'Upload unlawful or harmful content, search for people in order to harass or identify them against their will, guess passwords, copy albums automatically, or disturb the service for others.',
      ],
    },
    {
      heading: 'Your photos stay yours',
      body: [
        'You allow us to store, resize, index and deliver the photos as far as the service needs it, for as long as the album exists. We claim nothing beyond that.',
      ],
    },
    {
      heading: 'What we cannot promise',
      body: [
        'Face recognition makes mistakes: it may miss a photo you are in, or show one you are not in. Processing may take minutes to several hours. The service is offered as it is, and as far as the law allows we are not liable for loss that follows from its use.',
      ],
    },
    {
      heading: 'Ending and changing',
      body: [
        'An album that breaks these terms may be erased. When these terms change, this page shows the new text, and names what has changed, with its date, at the top.',
      ],
    },
  ],
}

export const privacyPolicy = {
  title: 'Privacy Policy',
  date: 'August 19, 2025',
  /** What has changed since, the oldest first. */
  additions: [
    {
      date: 'November 20, 2026',
      text: 'Some installations count downloads with Google Analytics.',
    },
    {
      date: 'November 22, 2026',
      text: 'What is kept about each face in a photo. How consent is given and counted.',
    },
    {
      date: 'November 22, 2026',
      text: 'Guests can come back without a selfie, get letters about new photos, opt out of an album, and, where the organiser allows it, look at all its photos.',
    },
    {
      date: 'November 22, 2026',
      text: 'What is kept to limit letters, and the record that is kept for 90 days.',
    },
    {
      date: 'November 23, 2026',
      text: 'The organiser can change the address for letters. The addresses of zips end with those of their photos.',
    },
    {
      date: 'November 23, 2026',
      text: 'Photos that guests receive carry the time at which they were taken. The addresses of zips of a results page end with the results.',
    },
    {
      date: 'November 23, 2026',
      text: 'Said more exactly: what is kept of network addresses, which faces are compared, when addresses of photos end, which searches are counted, what a letter about new photos says, what others learn when you opt out, and what is kept for a time after an album was erased.',
    },
    {
      date: 'November 23, 2026',
      text: 'A browser keeps the keys of all albums of an organiser. They stay until the organiser logs out of each.',
    },
    {
      date: 'November 23, 2026',
      text: 'After a search, the tab of the browser keeps an encrypted text, so that a selfie is sent once. We count consents, not searches.',
    },
    {
      date: 'November 23, 2026',
      text: 'Said more exactly: when the numbers of faces are deleted that were opted out.',
    },
    {
      date: 'November 28, 2026',
      text: 'The organiser can delete single photos for good.',
    },
  ],
  sections: [
    {
      heading: 'In short',
      body: [
        'Inframe keeps the photos an organiser uploads so that the people in them can find themselves. A selfie is used to search and is then deleted, within 5 minutes at the latest. We sell nothing, show no advertisements, and do not track you on other sites.',
      ],
    },
    {
      heading: 'What we collect',
      body: [
        [
          '**Email address** of the organiser, to send the album\'s link and password. If you get such a letter and did not ask for it, its link "This was not me" ends the letters. The organiser can change the address. We keep the new one encrypted until it is confirmed, and for a day at most otherwise.',
          '**Album names**, as the organiser types them. The list of albums shows them to everyone.',
          '**Uploaded photos**, with their file names, and for each face in them a set of numbers that describes it (a face index), which is biometric data. With it we keep where the face is in the photo, and how sharp it is, how bright, and how far it is turned.',
          '**IP and device data**: the address your requests come from and what your browser says about itself. We use them to run the service, to slow down abuse, and to find faults. We do not keep them. What limits calls and letters, and the record that is named below, have codes made from the address instead.',
        ],
      ],
    },
    {
      heading: 'Selfies',
      body: [
        "On an album's page, your selfie is held in memory while the album is searched and is never written to our storage. Where a selfie has to be stored until it is matched, it is deleted right after that. In every case **selfies are deleted within 5 minutes**.",
        'After a search on an album\'s page, the browser\'s tab keeps an encrypted text. With it, what follows the search needs no selfie: more photos after your answers, "Remember me", letters, another person, or a reload of the page. So a selfie is sent once for each search that you start. The text contains the numbers that describe the face in your selfie, which are biometric data. Where a cloud provider matches faces, it contains which faces of the album are like yours instead. Only the service can read it, and only for your visit. **The service does not store it.** It ends **an hour** after the page was last open, or with the album\'s password. "Search Again" and "Log out" delete it at once.',
        'A selfie is never added to an album or to its face index. The list of photos it was found in is kept only for a results page: until 30 seconds after you have seen it, and at most for an hour.',
        'A search needs the consent of the person in the selfie. You give it when you press the button, or tick the box above it. The page says there what you agree to. For each album we count these consents in each minute, once for each search that you start, and which version of the text the page showed. We do not keep who searched, and the counts are deleted with the album. Only a parent or guardian may search for a child.',
        'Where the organiser allows it, you can look at all photos of an album instead. This needs no selfie.',
      ],
    },
    {
      heading: 'Coming back without a selfie',
      body: [
        'If you press **Remember me** after a search, your browser keeps an encrypted text. With it, the album finds you without a selfie. The text contains biometric data: the numbers that describe your face in your selfies. Where a cloud provider matches faces, it contains which faces of the album are yours instead. It also contains which faces you said are, or are not, yours. Only the service has the key, so nobody can read the text on your device. **The service does not store the text.** It reads it only to answer your searches. Your browser also keeps a list of the photos you have seen, to say how many are new.',
        'It works for this one album and for **at most 30 days**. It ends earlier when you enter the album anew, when the album\'s password changes or the album is erased. "Forget me" on the album\'s page deletes it at once, and so does "Log out". What has ended is deleted when you open an album\'s page again. Until then, anyone who uses your browser and enters the album sees your photos.',
      ],
    },
    {
      heading: 'Letters about new photos of you',
      body: [
        "We write to you about new photos of you only if you ask for it. You ask below the photos that a search found, and agree there. You get at most one letter a day, with their number, the album's name and its link. The number and the name are also in the letter's subject. For that we keep your email address and the numbers that describe your face, which are biometric data. We also keep which faces you said are, or are not, yours. All of it is encrypted. We also keep when you agreed, and to which text.",
        'The first letter only asks you to confirm the address. If you do not, everything is deleted after **24 hours**, and no other letter is sent. Otherwise it is deleted after **30 days**, with the album, or at once when you end it: each letter has a link for that, and so has the album\'s page in the browser in which you asked. If a letter was not meant for you, "This was not me" deletes everything, and nobody can ask for such letters to you from that album for 30 days.',
      ],
    },
    {
      heading: 'If you take yourself out of an album',
      body: [
        'Below the photos that your selfie found, you can opt out. These faces are hidden from all searches at once. For at least 72 hours you can undo it with a receipt, and the organiser can revoke it if it was abuse. Then we delete the numbers that describe these faces, but not before we have sent the organiser a letter about it, if we can send one. We keep where they are in the photos, and how many there are, so that they stay out. Only a share of the faces of an album can be hidden within an hour. The photos stay in the album, unless the organiser hides them because you ask. The organiser learns how many faces it is about and when, and not whose they are. No other number or list of the album changes. But anybody who enters the album and searches with a picture of you sees that nothing is found. If you ask the organiser to hide your photos, they see which photos, and so probably who you are.',
        'If you also agree to stay out of photos that are added later, we keep one set of numbers that describes your face, which is biometric data. It is encrypted, used for nothing else, and deleted with the album, or when the opt-out is taken back.',
      ],
    },
    {
      heading: 'How photos and faces are used',
      body: [
        [
          'Faces are compared only inside one album. That happens to answer a search in that album, to leave out somebody who asked for it, or to write to somebody who asked for that. Faces of different people in the same photo are also compared with each other, to learn how alike strangers are in this album: a search needs that to know when it may be sure. We keep only numbers about all of them together.',
          'Faces are matched by the service itself, or by a cloud provider that works on our behalf. This depends on how this installation is set up.',
          'The photos guests receive carry no location and no camera. They carry the time at which they were taken, where the camera has written it, so that a phone sorts them by it.',
          'The addresses of photos expire after an hour, or up to 5 minutes later, and so does the address of a zip of them. The address of a zip of a results page ends earlier, with the results. If it is made later, from a page that is still open, it can be used for 5 minutes. A new password and the erasure of the album end all of these addresses at once. A guest who has begun to download a zip can continue for one more hour, unless the password has changed or a photo was removed.',
        ],
      ],
    },
    {
      heading: 'Who can see an album',
      body: [
        'Its organiser, and anyone who has both its link and its password. A guest with a selfie sees the photos that match it. Where the organiser allows it, guests see all photos. Organisers choose whom they give the password to.',
      ],
    },
    {
      heading: 'Who else receives something',
      body: [
        [
          'Letters to organisers and guests go through the mail provider that this installation is set up with.',
          'Some installations count downloads with Google Analytics. Where that is switched on and you download a photo, Google learns that a photo was downloaded, and your IP address and device data. Google sets no cookie, and does not learn which photo or album it was. Nothing else is loaded from other sites.',
        ],
      ],
    },
    {
      heading: 'What stays in your browser',
      body: [
        [
          'One encrypted cookie that remembers which albums you have opened. It is needed for the service to work, and it tracks nothing else.',
          "For organisers, for each album: the email address, the album's name and the key to the album, until you press **Log out** there. What you typed to create an album stays in its tab until the tab is closed. Also the names, sizes and dates of the photos that were uploaded, so that you can continue an upload later in the same browser.",
          'For guests who asked to be remembered: what finds them again, for at most 30 days (see "Coming back without a selfie").',
          'For guests who asked for letters about new photos: what ends these letters, and not the address, for at most 30 days.',
        ],
      ],
    },
    {
      heading: 'How long we keep it',
      body: [
        'An album, its photos and its face index stay until they are erased. The organiser can delete single photos for good at any time, and their faces go with them. To have an album erased, its organiser asks the people who run this installation of Inframe. For 30 days we then keep a code made from its name, so that nobody else takes the name, and for 90 days a note of how much was erased. To limit letters, we keep a code made from the email address. Nobody can read the address from it. We keep it for a day after a letter, with a code made from the network address that asked for the letter, and when the address was refused, for 30 days or with the album that it belongs to.',
        'For 90 days we keep a record of when an album was created, changed or erased, when its password failed too often, and when a guest opted out of it or that was undone. The record has codes made from the network address and the session, and not the address itself.',
      ],
    },
    {
      heading: 'Your choices',
      body: [
        'If you appear in an album and do not want to be found there, search it with your selfie and choose "Take me out of this album". If you do not want your photos there at all, ask the organiser who gave you the link: organisers can delete single photos. If that does not help, or if you are an organiser and want an album erased, ask the people who run this installation of Inframe. You may also ask what we hold about you, and have it corrected.',
      ],
    },
  ],
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

export const inAppNotice = {
  explanation: (app = 'This app') =>
    `${app} opens it in its own browser. Passwords and downloads often fail there.`,
  onAndroid: 'Tap the button, or copy the link.',
  elsewhere: 'Tap ••• and then “Open in browser”, or copy the link.',
  title: 'Open this page in your browser',
  open: 'Open in browser',
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

export const possiblePhotos = {
  last: 'That was the last one.',
  leftOut: 'This photo is left out.',
  followingUp: 'Added to your photos. Searching for more of them...',
  addedMore: (count: number) =>
    `Added to your photos. ${digits(count)} ${plural(count, { one: 'more photo', other: 'more photos' })} found.`,
  added: 'Added to your photos.',
  undo: 'Undo',
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

export const resultsHeadings = {
  found: (count: number) => `Found ${capitalPhotos(count)}!`,
  foundBoth: (count: number) => `Found ${capitalPhotos(count)} with both of you!`,
  foundEither: (count: number) => `Found ${capitalPhotos(count)} with either of you!`,
  newSince: (count: number) => `Your photos, ${digits(count)} new since your last visit`,
  nothingNew: 'Your photos, nothing new since your last visit',
  noneBoth: 'No Photos with Both of You',
  noneEither: 'No Photos with Either of You',
  noneBothText: 'No photo of this album surely shows you together. Look for photos with either of you.',
  noneEitherText: 'We did not find either of you in this album. Try clearer selfies.',
  none: 'No Photos Found',
  noneText:
    'We did not find you in this album. Try a clearer selfie: face the camera, in good light, on your own.',
  noneNow: 'No photo of this album shows you at the moment. Come back later, or try another selfie.',
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

export const selfieNotes = {
  somebodyElse: (place: number) =>
    `Your ${ORDINALS[place]} selfie shows a different person from the first one. It was left out.`,
  noFace: (place: number) => `Your ${ORDINALS[place]} selfie shows no face. It was left out.`,
}

/** The receipt of an opt-out, in the dialog and on its page. */
export const optOutReceipt = {
  lettersEnded: 'The letters about new photos of you have ended.',
  lettersLater: 'If you get letters about new photos of you, the link in each of them ends them.',
  title: {
    active: 'You are hidden',
    erased: 'You have opted out',
    undone: 'This was undone',
  },
  active: (count: number, until: string) =>
    `${faces(count)} ${are(count)} hidden from all searches. On ${until} at the earliest, the descriptions of these faces are erased, but not before a letter has told the organiser. Until then you can undo it.`,
  erased: (count: number, since: string) =>
    `The descriptions of ${faces(count)} were erased on ${since}. No search finds them, and this cannot be undone.`,
  undone: (count: number) =>
    `Searches find ${faces(count)} again. Who has this receipt can undo it, and the organiser can when it looks like abuse. If you still want to be taken out, search again, or ask the organiser: you may have a right to it.`,
  photosStay: 'The photos stay in the album.',
  hide: (count: number) => `The organiser is asked to hide ${photos(count)}, and then sees which ones.`,
  keptOut:
    'Your face is also hidden in photos that are added later. The encrypted description of it is deleted with the album, or when you undo this.',
  keep: 'Keep this link. With it you can undo this, and see what has become of it. It does not say who you are:',
  linkName: 'link of the receipt',
  undo: 'Undo',
  undoing: 'Undoing...',
  notUndone: 'This could not be undone',
  about: <P>(albumName: string, name: (text: string) => P) =>
    sentence`It is about the album ${name(`“${albumName}”`)}.`,
  asked: (date: string) => `Asked for on ${date}.`,
  notLoaded: 'The receipt could not be loaded',
  invalid: 'This receipt is not valid',
  invalidText: 'Please open or enter the whole receipt. The album may have been erased.',
  enter: 'Your receipt',
  enterText: 'Paste the receipt that you kept when you opted out of an album, or its link.',
  open: 'Open',
  toAlbum: 'To the album',
}

/** The owner's page with the opt-outs of an album. */
export const optOutsPage = {
  title: 'Guests who opted out',
  about: <P>(albumName: string, name: (text: string) => P) =>
    sentence`These guests of ${name(`“${albumName}”`)} do not want to be found. You see numbers only, and not who they are. Photos are here only if a guest asks you to hide them.`,
  none: 'Nobody has opted out of this album.',
  faces,
  state: {
    active: (until: string) => `hidden, erased on ${until} at the earliest`,
    erased: 'erased',
    undone: 'undone',
  },
  revoke: 'Revoke',
  revokeDay: (count: number) => `Revoke all ${digits(count)} of this day`,
  confirmRevoke: 'Revoke this?',
  meaning: (count: number) =>
    `Searches will find ${faces(count)} again, although these people asked not to be found. They may have a right to it by law. Do this only when it was abuse, for example when somebody hides other people. It is written into the log of this website.`,
  asks: (count: number) => `This guest asks you to hide ${photos(count)}.`,
  hidingMeans:
    'Hidden photos are shown to nobody: no search finds them, and nobody can download them. They stay in the album, and you can show them again.',
  areHidden: (count: number) => `${photos(count)} ${are(count)} hidden.`,
  areShown: (count: number) => `${photos(count)} ${are(count)} shown.`,
  photo: (place: number) => `Photo ${digits(place)}`,
  these: (count: number) => `This page shows ${digits(count)} of them.`,
  hide: (count: number) => `Hide ${photos(count)}`,
  showAgain: 'Show them again',
  keep: 'Keep them',
  notSaved: 'Your answer could not be saved',
  notLoaded: 'The numbers could not be loaded',
  saved: 'Saved.',
  unknownLink: 'This link is not valid',
  unknownLinkText: 'Please open the whole link from the newest letter. The album may have been erased.',
}

export const zipPanel = {
  oneByOne: 'Download one after the other.',
  leftOut: (count: number) => `${photos(count)} could not be included.`,
  interrupted: 'If the download is interrupted, continue it within an hour.',
  preparing: (ready: number, total: number) => `Preparing ${digits(ready)} of ${photos(total)}`,
  prepared: 'Photos prepared',
  failed: 'The download could not be prepared',
  started: 'Your download has started',
  parts: (count: number) => `Your photos are in ${count} files`,
  again: 'Download again',
  part: (place: number, count: number) => `Download ${place} of ${count}`,
}

export const savePanel = {
  smaller: (side: number) => `Copies of at most ${digits(side)} pixels on the long side.`,
  full: 'At full size.',
  saved: (count: number) => `${photos(count)} saved.`,
  asZip: 'Download as a zip instead',
  getting: (soFar: string) => `${soFar} Getting the next photos...`,
  save: (count: number) => `Save ${photos(count)}`,
  choose: 'Your phone takes a few photos at a time. In the next sheet, choose “Save” or an app.',
  goOn: 'Continue',
  areSaved: 'They are saved',
  openAgain: 'Open the sheet again',
  asked: (count: number) => `We passed ${photos(count)} to your phone. When they are saved, continue here.`,
  notLoaded: 'The next photos could not be loaded. Please try again.',
  refused: 'This browser could not pass the photos on. Download them as a zip instead.',
  soFar: (saved: number, total: number) => `${digits(saved)} of ${digits(total)} saved.`,
}

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

export const browseLink = {
  question: 'Prefer not to use a selfie?',
  browse: 'Browse all photos',
  seeAll: 'See all photos',
  search: 'Search with a selfie',
}

export const faceChooser = {
  title: 'Not you? Tap your face.',
  selfie: 'Your selfie',
  face: (place: number, count: number) => `Face ${place} of ${count}, from the left`,
  searching: 'Searching...',
  searched: 'The marked face was searched for.',
}

export const foundPhotos = {
  showing: (count: number, total: number) => `Showing ${digits(count)} of ${photos(total)}`,
  showMore: (left: number) => `Show more (${digits(left)} left)`,
}

export const logOut = {
  loggedOut: 'Logged out',
  hasLeft: (albumName: string) => `You have left ${albumName}`,
  failed: 'Could not log out',
  logOut: 'Log out',
  asOrganiser: 'Log out as the organiser?',
  stay: 'Stay logged in',
  wayBack:
    'To come back as the organiser, use the browser in which you created the album, or your private link. With the password you come back as a guest.',
  lastWayBack:
    'This browser then forgets the key to your album. To come back as the organiser, or to add photos, you need your private link. Keep it, and share it with nobody:',
  privateLink: 'private link',
  logOutOfAll: 'Log out of all albums',
  ofAllAsOrganiser: 'Log out of all albums?',
  hasLeftAll: 'You have left all albums',
  lastWaysBack:
    'This browser then forgets the keys to your albums, and you leave every album that you have entered. To come back as the organiser, or to add photos, you need your private links. Keep them, and share them with nobody:',
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

export const passwordField = {
  hidePassword: 'Hide password',
  showPassword: 'Show password',
  hide: 'Hide',
  show: 'Show',
}

export const possiblePhoto = {
  question: (filename: string, place: number, count: number) =>
    `Is this you in ${filename}? Question ${place} of ${count}`,
  face: 'The face in question',
  open: (filename: string) => `Open ${filename} at full size in a new tab`,
  yes: "Yes, that's me",
  no: 'No',
}

export const keptSearch = {
  over: 'Your results have ended',
  notLoaded: 'Your results could not be loaded',
}

export const remembered = {
  notRemembered: 'This browser no longer remembers you',
  notRememberedText:
    'What this browser kept about you is no longer valid, so it was deleted. Please search with a selfie again.',
  notLoaded: 'Your photos could not be loaded',
  isRemembered: 'This browser remembers you',
  show: 'Show my photos',
  looking: 'Looking for your photos...',
  offer: 'Come back without a selfie',
  offerTaken: 'You can come back without a selfie',
  keeps: (days: number) =>
    `At your next visit you see your photos at once. For that, if you agree, this browser keeps an encrypted description of your face for at most ${days} days. Our server does not store it.`,
  keepsUntil: (date: string) =>
    `You see your photos of this album at once until ${date}. For that, this browser keeps an encrypted description of your face.`,
  privacy: 'Privacy',
  remember: <P>(device: P) => sentence`Remember me on this ${device}`,
  forget: 'Forget me',
  phone: 'phone',
  computer: 'computer',
}

export const searchFailures = {
  none: 'No photos detected',
  noneText: 'No photos were detected of you in this album. Try uploading a clearer selfie.',
  failed: 'Search failed',
}

export const searchForm = {
  searchingAlbum: 'Searching the album for you',
  searching: 'Searching...',
  search: 'Search Photos',
  explanation:
    'Your selfie is used for this one search and deleted after processing. For an hour, this tab keeps an encrypted text that finds you again, so that your selfie need not be sent again. If others are in it, the largest face is searched for. You can choose another one: that is another search, with your selfie.',
}

export const searchResults = {
  searchAgain: 'Search Again',
  searching: 'Searching the album for you',
  askMore: 'Are you in these, too?',
  ask: 'We are not sure. Are you in these?',
}

export const secondPerson = {
  offer: 'Find photos with somebody else, too',
  question: 'Who else?',
  explanation: 'Choose a selfie of the other person, with their consent.',
  drop: 'Drop their selfie here',
  searching: 'Searching...',
  search: 'Search for both',
  both: 'With both',
  either: 'With either',
  person: 'The second person',
  selfie: 'Selfie of the second person',
  which: 'Which photos',
  remove: 'Remove the second person',
  notThem: 'Not them? Tap their face.',
}

export const seenInSelfies = {
  title: 'A better selfie may find more photos',
  add: 'Add another selfie',
}

export const selfieSearch = {
  label: 'Find your photos',
}

export const optOut = {
  title: 'Take me out of this album',
  explanation:
    'Your faces are hidden from all searches at once. For at least 72 hours you can undo this with a receipt, and the organiser can revoke it if it was abuse. Then the descriptions of the faces are erased for good, but not before a letter has told the organiser. The photos stay in the album.',
  faces: 'Are these all you? Untick every face that is not yours.',
  face: (place: number) => `Face ${place} is me`,
  more: (count: number) => `And ${digits(count)} more.`,
  found: (count: number) => `Your selfie found ${faces(count)}.`,
  onlyRecognised: 'Faces that only you confirmed stay in the search. To remove them, ask the organiser.',
  numbers: 'The organiser gets a letter with the number of faces. It does not say who you are.',
  hide: 'Ask the organiser to hide these photos',
  hideText:
    'The organiser then sees which photos, and so probably who you are. Without this, they see numbers only.',
  keepOut: 'Keep me out of photos that are added later',
  keepOutText:
    'For this, the album keeps an encrypted description of your face, which is biometric data. It is used for nothing else, and is deleted with the album, or when this is undone.',
  failed: 'You could not be taken out',
  hiding: 'Hiding...',
  hideFaces: (count: number) => `Hide ${faces(count)}`,
  newSelfie: 'Take a new selfie',
  newSelfieText:
    'A picture of this album, a screenshot of one, or a search that was remembered does not show who is asking. To be taken out, search with a selfie that you take now.',
}

export const albumSearch = {
  notLoaded: 'The photos could not be loaded',
  notRemembered: 'You could not be remembered',
  notAllowed: 'The settings of this browser do not allow pages to keep anything.',
  forgotten: 'Forgotten',
  forgottenText: 'This browser no longer keeps anything about you.',
}

export const consentNote = {
  child: 'Searching for a child? Only their parent or guardian may do that.',
  pleaseTick: 'Please tick the box if you agree',
  policy: 'Privacy Policy',
}

export const heicHelp = {
  title: "This photo is a HEIC file, the iPhone's own format",
  text: 'An iPhone can send it as JPEG: open this page on the iPhone and choose the photo from the Photo Library.',
  settings: 'For new photos as JPEG: Settings › Camera › Formats › Most Compatible.',
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

export const photoThumb = {
  notLoaded: 'Not loaded',
  tryAgain: (filename: string) => `Try again to load ${filename}`,
}

export const photoTile = {
  select: (filename: string) => `Select ${filename}`,
  open: (filename: string) => `Open ${filename}`,
  download: (filename: string) => `Download ${filename}`,
}

export const previewImage = {
  none: (name: string) => `${name}, no preview`,
}

export const reasonList = {
  title: (count: number) => `${photos(count)} not uploaded`,
  label: 'Photos not uploaded',
  filesTitle: (count: number) => `${files(count)} not uploaded`,
  filesLabel: 'Files not uploaded',
  storedTitle: (count: number) =>
    `${photos(count)} uploaded that ${plural(count, { one: 'is', other: 'are' })} not whole`,
  storedLabel: 'Photos that are not whole',
  more: (count: number) => `...and ${digits(count)} more`,
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

export const takeHome = {
  label: 'Your download',
  selected: (count: number) => `${digits(count)} selected`,
  all: 'All',
  none: 'None',
  save: 'Save',
  saveAll: 'Save all to Photos',
  fullSize: 'Save at full size',
  fullSizeText: (side: number) =>
    `Without the tick, smaller copies are saved: at most ${digits(side)} pixels on the long side. They load quickly and use less data.`,
  downloadAll: (count: number) => `Download all ${digits(count)}`,
  select: 'Select',
  delete: 'Delete',
  loading: (count: number) => `Loading ${photos(count)}`,
}

export const viewer = {
  place: (place: number, total: number) => `${digits(place)} of ${digits(total)}`,
  notLoaded: 'This photo could not be loaded.',
  photo: (place: string, filename: string) => `Photo ${place}, ${filename}`,
  previous: 'Previous photo',
  next: 'Next photo',
  photos: 'Photos',
  showFace: 'Show my face',
  openFull: 'Open full size',
  getting: 'Getting the photo...',
  ready: 'Ready. Tap Share again.',
  failed: 'The photo could not be shared. Please try again.',
}

export const photoLetters = {
  confirmedText: <P>(albumName: string, date: string, name: (text: string) => P) =>
    sentence`We write to you when there are new photos of you in ${name(`“${albumName}”`)}, until ${date}.`,
  endLetters: 'End these letters',
  ending: 'Ending...',
  notEnded: 'The letters could not be ended',
  confirm: 'Letters about new photos of you',
  confirmText:
    'Press the button, and we write to you when there are new photos of you in the album: at most once a day, for 30 days. Each letter has a link that ends this.',
  yes: 'Yes, write to me',
  confirming: 'Confirming...',
  notConfirmed: 'Your address could not be confirmed',
  end: 'End the letters about new photos',
  endText:
    'Press the button to stop these letters. Your address and the description of your face are deleted at once.',
  refuse: 'This was not me',
  refuseText:
    'Somebody entered your email address to get letters about new photos. Press the button, and everything is deleted. For 30 days you get no such letters from this album, even if somebody asks for them.',
  confirmed: 'Your address is confirmed',
  openAlbum: 'Open the album',
  ended: 'The letters have ended',
  endedText: 'Your address and the description of your face are deleted.',
  tooLate: 'This link has ended',
  unknownLink: 'This link is not valid',
  unknownLinkText: 'Please open the whole link from the letter.',
}

export const photoAlert = {
  email: 'Email Address',
  emailHint: 'The first letter only asks you to confirm this address.',
  notSent: 'The letter could not be sent',
  sending: 'Sending...',
  send: 'Send the first letter',
  sentTo: <P>(address: P, hours: number) =>
    sentence`We have sent a letter to ${address}. Press its link within ${digits(hours)} hours. Otherwise everything is deleted.`,
  asked: (date: string) => `You have asked for letters about new photos of you, until ${date}.`,
  waits: 'They begin when you press the link in the first one.',
  isOn: (date: string) => `We write to you when there are new photos of you, until ${date}.`,
  explanation: (days: number) =>
    `We write to you when there are new photos of you: at most once a day, for ${days} days. You can end this at any time.`,
  open: 'Write to me',
  sendAgain: 'Send it again',
  end: 'End the letters',
  notEnded: 'The letters could not be ended',
  offer: 'Tell me when there are more',
  sent: 'Please check your email',
  on: 'Letters about new photos',
}

/** Lines of letters end after 80 characters at most. */
export const letterParts = {
  language: 'en',
  number: inEnglish,
  site: 'Inframe',
  open: 'Open the album',
  toShare: 'To share with your guests',
  find: (name: string) => (name ? `Find your photos from ${name}!` : 'Find your photos!'),
  passwordIs: (password: string) => `Password: ${password}`,
  guests: 'They open the link, enter the password, upload a selfie and see every photo\nthey are in.',
  photos: 'Photos',
  faces: 'Faces found',
  photosWithoutFace: 'Photos without a face',
  timeTaken: (count: number, time: string) =>
    `Uploading ${inEnglish(count)} ${plural(count, { one: 'photo', other: 'photos' })} and finding the faces took ${time}.`,
  hours: (count: number) => `${count} ${plural(count, { one: 'hour', other: 'hours' })}`,
  minutes: (count: number) => `${count} ${plural(count, { one: 'minute', other: 'minutes' })}`,
  ofAlbum: (name: string) => `The name of the album is ${name}.`,
  notMe: 'This was not me',
}

export const readyLetter = {
  subject: (albumName: string) => `Your album is ready: ${albumName}`,
  heading: (albumName: string) => `Your album ${albumName} is ready`,
  skipped: (count: number) => `${inEnglish(count)} skipped ${plural(count, { one: 'file', other: 'files' })}`,
  more: (count: number) => `...and ${inEnglish(count)} more`,
  own: 'This button is for you alone. It opens the album with all the rights of its\norganiser, also in another browser. Do not pass this letter on.',
  openAsOrganiser: 'Open as the organiser',
}

export const unconfirmedLetter = {
  subject: 'Your photo album is ready',
  notMe:
    'If you did not create this album, somebody else has entered your address. The\nlink "This was not me" ends all letters about this album.',
  own: 'Open the album with your own link. It is not for your guests',
  moreLater: 'After you have opened the album from this letter, letters also name the\nskipped files.',
  skipped: 'Skipped files',
}

export const optOutsLetter = {
  subject: 'Guests have opted out of your photo album',
  hidden: (guests: number, faces: number) => {
    const found = plural(faces, {
      one: '1 face is hidden',
      other: `${inEnglish(faces)} faces are hidden`,
    })
    const whose = plural(guests, {
      one: 'A guest does not want to be found any more.',
      other: `${inEnglish(guests)} guests do not want to be found any more.`,
    })
    return `${whose} ${found}\nfrom all searches. They are erased after 72 hours, but not before this letter.\nUntil then you can revoke it.`
  },
  nobody: 'The photos stay in the album. This letter has numbers only: it does not say who\nthe guests are.',
  page: 'See the numbers, revoke, or answer',
  asks: (count: number) =>
    `A guest asks you to hide ${inEnglish(count)} ${plural(count, { one: 'photo', other: 'photos' })}.`,
  hiding: 'Hidden photos are shown to nobody. You can show them again at any time.',
}

/** Lines of letters end after 80 characters at most. */
export const addressLetters = {
  confirmSubject: 'Please confirm your email address',
  asked: 'Somebody asked us to send the letters about a photo album to this address.',
  yes: 'Yes, send them here',
  notAsked:
    'If it was not you, do nothing. Without your confirmation we delete your address\nafter a day. The link "This was not me" ends all letters about this album.',
  changedSubject: 'Letters about your photo album go to another address',
  noMore: 'From now on letters about this album go to another address, and no more to\nthis one.',
  notYou:
    'If nobody you know has done this, somebody else has the private link to your\nalbum. Ask the people who run this service for a new owner key, and change the\npassword of the album.',
}

export const alertLetters = {
  confirmSubject: 'Please confirm your email address',
  asked:
    'Somebody asked us to write to this address when there are new photos of them in\nan album: at most one letter a day, for 30 days.',
  notAsked:
    'If it was not you, do nothing. Without your confirmation we send no other letter\nand delete your address after a day. The link "This was not me" deletes it now.\nThen you get no such letters from this album for 30 days.',
  yes: 'Yes, send me these letters',
  news: (count: number, albumName: string) =>
    `${inEnglish(count)} new ${plural(count, { one: 'photo', other: 'photos' })} of you in ${albumName}`,
  see: 'See them',
  password: 'Open the album with the password that you got from the organiser. Then search\nwith a selfie.',
  ending:
    'You get this letter because you asked for it. One press ends these letters, and\ndeletes your address and the description of your face:',
  end: 'End these letters',
}
