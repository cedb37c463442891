/** All texts of the web app and of the letters, in English. Each table has the texts of one page or module, which loads
 *  only these: see scripts/texts-plugin.ts. A text with values is a function of them. A sentence with links or other
 *  elements takes them as they are, or with the text that they enclose.
 *  Sentences that the service writes, as in errors, are in src/contract and at their rules. */

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
