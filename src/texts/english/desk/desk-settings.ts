/** Texts of the desk's pages for settings and for the end of an album, and of the organiser's ways in. */
import { sentence } from '../../sentence.ts'
import { photos } from '../counts.ts'

export const deskSettings = {
  title: 'Settings',
  text: 'Name, letters, what guests may do, your devices',
}

export const albumSwitches = {
  title: 'What guests may do',
  listed: 'Show in the list of albums',
  listedText: 'Everybody sees the name in the list. Without it, guests need the link.',
  browsing: 'Guests may see all photos',
  browsingText: 'Also those in which they are not. Otherwise a guest sees the photos that a selfie finds.',
  consentTick: 'Guests tick that they agree',
  consentTickText: 'Before each search. Otherwise the search itself is the consent.',
  forChildren: 'This album is for photos of children',
  forChildrenText:
    'Not in the list, guests do not see all photos, and parents tick that they agree. A face has to be more alike to count as found. Turning it off changes none of the other three by itself.',
  fixed: 'Fixed while the album is for photos of children.',
  notSaved: 'The setting could not be changed',
}

export const whenOpen = {
  title: 'When guests may come in',
  open: 'Guests can come in.',
  openUntil: (time: string) => `Guests can come in until ${time}.`,
  opens: (time: string) => `Opens on ${time}. Until then only you see the album.`,
  closed: (time: string) => `Closed since ${time}. Only you see the album.`,
  opensAt: 'Opens',
  opensAtHint: 'Empty: at once.',
  closesAt: 'Closes',
  closesAtHint: 'Empty: never.',
  zone: (zone: string) => `Times are those of your device (${zone}).`,
  save: 'Save',
  saving: 'Saving...',
  notSaved: 'The times could not be saved',
  facesEnd: 'Face search ends',
  daysAfter: (days: number) => `${days} days after the last upload`,
  facesEndText:
    'Then the descriptions of the faces are deleted and nobody is found any more. The photos stay.',
  facesEnded: (date: string) =>
    `It has ended on ${date}. The photos are still here. When you add photos, all of them can be searched again.`,
}

export const albumLook = {
  title: 'How it looks',
  accent: 'Colour of buttons and links',
  accents: {
    marigold: 'Marigold',
    red: 'Red',
    pink: 'Pink',
    violet: 'Violet',
    blue: 'Blue',
    teal: 'Teal',
    green: 'Green',
    graphite: 'Graphite',
  },
  cover: 'Cover',
  coverText: 'Guests who have entered see it above the name of the album.',
  noCover: 'There is none. Open a photo in Photos, and choose "Use as cover".',
  remove: 'Remove the cover',
  use: 'Use as cover',
  failed: 'The cover could not be changed',
}

export const addDevice = {
  title: 'Your other devices',
  text: 'Scan a code with your phone, and it manages this album, too.',
  make: 'Add a device',
  making: 'Making the code...',
  again: 'Make a new code',
  notMade: 'The code could not be made',
  scan: <P>(time: P) =>
    sentence`Scan it with the other device, or open the link there. It works once, until ${time}. Show it to nobody else.`,
  link: 'link',
}

export const useDevice = {
  title: 'Manage an album on this device',
  text: 'This device then has all rights of the organiser. Press the button only if this device is yours.',
  label: 'Manage the album here',
  busy: 'One moment...',
  failed: 'That did not work',
  unknownLink: 'This link is not valid any more',
  unknownLinkText:
    'Such a link works for ten minutes. Make another one on the device that manages the album: Settings, Add a device.',
  tooLate: 'This link was used already',
  done: 'This device manages the album now',
  doneText: 'You can put away the other one.',
}

export const sendMyAlbums = {
  title: 'Lost the way to an album?',
  text: 'We send the links of all your albums to the address that you created them with.',
  email: 'Address of your albums',
  save: 'Send me my albums',
  saving: 'Sending...',
  notSaved: 'The letter could not be sent',
  sent: 'Look into your mailbox',
  sentText: <P>(address: P) =>
    sentence`If letters about any album go to ${address}, the links are on their way. Look into the spam folder, too.`,
}

export const deskEnd = {
  title: 'End',
  text: 'Erase the album for good',
  heading: 'Erase this album',
  what: (count: number) =>
    `${photos(count)}, all faces and all letters go for good, for you and for every guest. Nobody can bring them back. Download first what you want to keep.`,
  type: <P>(name: P) => sentence`Type ${name} to continue.`,
  name: 'Name in the link',
  erase: 'Erase for good',
  erasing: 'Erasing...',
  failed: 'The album could not be erased',
}

export const erasedAlbum = {
  done: <P>(name: P) => sentence`${name} is erased`,
  doneText: 'We have checked every place. Nothing of it remains.',
  under: <P>(name: P) => sentence`${name} is being erased`,
  underText: 'Nobody can open it any more. The rest goes within minutes, also when you close this page.',
  photos: (count: number) => `${photos(count)} erased`,
  rows: 'Entries in the database',
  files: 'Files',
  faces: 'Faces',
  remain: 'Still there',
  letter: 'A letter says so, too, if you have opened the album from one of its letters before.',
  nothing: 'There is no receipt here',
}
