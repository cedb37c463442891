/** Texts of the letters. */
import { plural } from './counts.ts'

/** The reader's settings are not known. */
const inEnglish = (count: number) => count.toLocaleString('en-US')
const day = (date: Date) => date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

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
  parents:
    'Parents open the link, enter the password, upload a selfie of their child and\nsee every photo the child is in. Only a parent or guardian may search for a\nchild.',
  photos: 'Photos',
  faces: 'Faces found',
  photosWithoutFace: 'Photos without a face',
  timeTaken: (count: number, time: string) =>
    `Uploading ${inEnglish(count)} ${plural(count, { one: 'photo', other: 'photos' })} and finding the faces took ${time}.`,
  hours: (count: number) => `${count} ${plural(count, { one: 'hour', other: 'hours' })}`,
  minutes: (count: number) => `${count} ${plural(count, { one: 'minute', other: 'minutes' })}`,
  ofAlbum: (name: string) => `The name of the album is ${name}.`,
  notMe: 'This was not me',
  openAsOrganiser: 'Open as the organiser',
  confirmSubject: 'Please confirm your email address',
}

export const readyLetter = {
  subject: (albumName: string) => `Your album is ready: ${albumName}`,
  heading: (albumName: string) => `Your album ${albumName} is ready`,
  skipped: (count: number) => `${inEnglish(count)} skipped ${plural(count, { one: 'file', other: 'files' })}`,
  more: (count: number) => `...and ${inEnglish(count)} more`,
  own: 'This button is for you alone. It opens the album with all the rights of its\norganiser, also in another browser. Do not pass this letter on.',
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

/** Lines of letters end after 80 characters at most. */
export const myAlbumsLetter = {
  subject: 'The links to your photo albums',
  asked:
    'Somebody asked for the albums of this address. Each link opens one with all the\nrights of its organiser. Do not pass this letter on.',
  album: (name: string, created: Date) => `${name || 'Album'}, created on ${day(created)}`,
  notAsked: 'If it was not you, do nothing. Nobody but you got these links.',
}

export const erasedLetter = {
  subject: 'Your photo album is erased',
  when: (erased: Date) =>
    `The album that was erased on ${day(erased)} is gone for good.\nWe have checked every place in which something of it could be.`,
  photos: 'Photos erased',
  faces: 'Faces erased',
  remaining: 'Still there',
  last: 'This is the last letter about it. For 30 days nobody else gets its name.',
}
