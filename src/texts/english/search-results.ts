/** What a search in an album has found, which loads after its form. */
import { digits } from '../numbers.ts'
import { capitalPhotos, photos, plural } from './counts.ts'

/** Of selfies. */
const ORDINALS = ['first', 'second', 'third']

export const searchResults = {
  searchAgain: 'Search Again',
  askMore: 'Are you in these, too?',
  ask: 'We are not sure. Are you in these?',
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

export const possiblePhotos = {
  last: 'That was the last one.',
  leftOut: 'This photo is left out.',
  followingUp: 'Added to your photos. Searching for more of them...',
  addedMore: (count: number) =>
    `Added to your photos. ${digits(count)} ${plural(count, { one: 'more photo', other: 'more photos' })} found.`,
  added: 'Added to your photos.',
  undo: 'Undo',
}

export const possiblePhoto = {
  question: (filename: string, place: number, count: number) =>
    `Is this you in ${filename}? Question ${place} of ${count}`,
  face: 'The face in question',
  open: (filename: string) => `Open ${filename} at full size in a new tab`,
  yes: "Yes, that's me",
  no: 'No',
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

export const selfieNotes = {
  somebodyElse: (place: number) =>
    `Your ${ORDINALS[place]} selfie shows a different person from the first one. It was left out.`,
  noFace: (place: number) => `Your ${ORDINALS[place]} selfie shows no face. It was left out.`,
}

export const secondPerson = {
  offer: 'Find photos with somebody else, too',
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

export const remembered = {
  offer: 'Come back without a selfie',
  offerTaken: 'You can come back without a selfie',
  keeps: (days: number) =>
    `At your next visit you see your photos at once. For that, if you agree, this browser keeps an encrypted description of your face for at most ${days} days. Our server does not store it.`,
  keepsUntil: (date: string) =>
    `You see your photos of this album at once until ${date}. For that, this browser keeps an encrypted description of your face.`,
  privacy: 'Privacy',
  remember: 'Remember me on this device',
}
