/** Texts of the pages for organisers: a new album, the list of albums, sharing. */
import { sentence } from '../sentence.ts'

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

export const keyNotKept = {
  title: 'This browser does not let this site keep anything',
  text: 'Its settings forbid it, or its storage is full. Then you could not come back to your album. Allow this site to keep data, or free some space, and try again.',
  created: 'The album has been created. Keep this link: it is how you come back. Share it with nobody.',
}

export const albums = {
  title: 'Browse Photo Albums',
  subtitle: 'Find your event, then yourself. Each album opens with its own password.',
  loading: 'Loading albums',
  failed: 'Failed to fetch albums',
  none: 'No Albums Yet',
  create: 'Create Album',
  beTheFirst: "Be the first: upload your event's photos and share one link.",
  end: 'These are all the albums.',
}

export const albumCard = {
  created: <P>(date: P) => sentence`Created ${date}`,
  findIn: (albumName: string) => `Find My Photos in ${albumName}`,
  find: 'Find My Photos',
}

export const guestBar = {
  text: 'You see the album as a guest does',
  back: 'To the desk',
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

export const shareCard = {
  copiedPassword: 'password',
  qrCode: 'QR code',
  qrCodeText:
    'Guests scan it to open the album. Tap it to save it as a picture, and print it for the tables.',
  title: 'Share This Album',
  text: 'Everyone in the photos can find themselves.',
  email: 'Email',
  moreWays: 'More ways to share',
  password: 'Album password',
  passwordText: 'Guests need it to open the album. The WhatsApp and email messages contain it.',
}

export const qrCode = {
  save: 'Save the QR code as a picture',
}

export const shareLinks = {
  subject: (albumName: string) => `Photos from ${albumName}`,
  message: (albumName: string, address: string, password: string) =>
    `Find your photos from ${albumName}!\n${address}\nPassword: ${password}`,
}
