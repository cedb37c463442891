/** Texts about opting out, and of the pages that letters lead to. */
import { digits } from '../numbers.ts'
import { sentence } from '../sentence.ts'
import { are, faces, photos } from './counts.ts'

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
  invalidText: 'Please open the whole link of the receipt. The album may have been erased.',
  receipt: 'Your receipt',
  toAlbum: 'To the album',
}

export const photoAlert = {
  email: 'Email Address',
  emailHint: 'The first letter only asks you to confirm this address.',
  notSent: 'The letter could not be sent',
  sending: 'Sending...',
  send: 'Send the first letter',
  asked: (hours: number, end: string) =>
    `Please check your email. The letters begin when you press the link in the first one within ${digits(hours)} hours, and end on ${end}.`,
  isOn: (date: string) => `We write to you when there are new photos of you, until ${date}.`,
  explanation: (days: number) =>
    `We write to you when there are new photos of you: at most once a day, for ${days} days. You can end this at any time.`,
  open: 'Write to me',
  sendAgain: 'Send it again',
  end: 'End the letters',
  notEnded: 'The letters could not be ended',
  offer: 'Tell me when there are more',
  on: 'Letters about new photos',
}

export const photoLetters = {
  tooLate: 'This link has ended',
  unknownLink: 'This link is not valid',
  unknownLinkText: 'Please open the whole link from the letter.',
  confirm: {
    title: 'Letters about new photos of you',
    text: 'Press the button, and we write to you when there are new photos of you in the album: at most once a day, for 30 days. Each letter has a link that ends this.',
    label: 'Yes, write to me',
    busy: 'Confirming...',
    failed: 'Your address could not be confirmed',
    done: 'Your address is confirmed',
    doneText: <P>(albumName: string, date: string, name: (text: string) => P) =>
      sentence`We write to you when there are new photos of you in ${name(`“${albumName}”`)}, until ${date}.`,
  },
  end: {
    title: 'End the letters about new photos',
    text: 'Press the button to stop these letters. Your address and the description of your face are deleted at once.',
    label: 'End these letters',
    busy: 'Ending...',
    failed: 'The letters could not be ended',
    done: 'The letters have ended',
    doneText: 'Your address and the description of your face are deleted.',
  },
  refuse: {
    title: 'This was not me',
    text: 'Somebody entered your email address to get letters about new photos. Press the button, and everything is deleted. For 30 days you get no such letters from this album, even if somebody asks for them.',
  },
}

export const stopLetters = {
  title: 'This was not me',
  text: 'Somebody entered your email address for a photo album. Press the button to stop all letters about this album.',
  failed: 'The letters could not be stopped',
  busy: 'Stopping...',
  label: 'Stop these letters',
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
  label: 'Yes, send them here',
  busy: 'Confirming...',
  failed: 'Your address could not be confirmed',
  done: 'Your address is confirmed',
  doneText: <P>(albumName: string, name: (text: string) => P) =>
    sentence`Letters about ${name(`“${albumName}”`)} now come to this address.`,
  tooLate: 'This link has ended',
  unknownLink: 'This link is not valid',
  unknownLinkText: 'Please open the whole link from the letter.',
}

/** Of all pages that the link of a letter leads to. Some program may have cut off the link before its `#`. */
export const letterLink = {
  cutOff: 'This link is not whole',
  cutOffText: "Copy the whole link from the letter's text.",
  openAlbum: 'Open the album',
}
