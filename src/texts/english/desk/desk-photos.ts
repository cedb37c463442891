/** Texts of the organiser's desk about the state of an album and its photos. */
import { digits } from '../../numbers.ts'
import { photos, plural } from '../counts.ts'

/** What photos are to their owner. */
export const photoKinds = {
  searchable: 'Guests can find them',
  nobody: 'Nobody visible',
  unclear: 'Faces too small or unclear',
  hidden: 'Hidden',
  given_up: 'Could not be searched for faces',
  waiting: 'Waiting to be searched for faces',
  partly: 'Of them, with more faces that are too small or unclear',
}

export const ledger = {
  title: 'What became of your files',
  loading: 'Counting...',
  see: (label: string, count: number) => `${label}: ${photos(count)}`,
  sent: 'Files sent',
  skipped: 'Skipped',
  stored: 'Photos in the album',
  couldBeFound: 'Guests could find them',
  faces: (count: number) => `${digits(count)} ${plural(count, { one: 'face', other: 'faces' })} found.`,
  searching: (done: number, total: number) =>
    `${digits(done)} of ${photos(total)} ${plural(done, { one: 'is', other: 'are' })} searched for faces.`,
  progress: 'Searched for faces',
  retry: 'Try them again',
  retrying: 'Trying again...',
  tried: (count: number) => `${photos(count)} ${plural(count, { one: 'is', other: 'are' })} tried again`,
  notTried: 'They could not be tried again',
  notLoaded: 'The numbers could not be loaded',
}

export const deskPhotos = {
  title: 'Photos',
  text: 'All of them: hide, delete, download, and set camera clocks right',
  filter: (set: number) => (set > 0 ? `Filter: ${digits(set)} set` : 'Filter'),
  which: 'Which photos',
  all: 'All photos',
  partly: 'With faces left out',
  camera: 'Camera',
  anyCamera: 'All cameras',
  hour: 'Hour',
  anyHour: 'All hours',
  loading: 'Loading the photos...',
  loaded: (count: number, hasMore: boolean) =>
    hasMore ? `The first ${photos(count)}. More are loaded as you scroll.` : photos(count),
  of: photos,
  clocks: 'Camera clocks',
  none: 'No photos here',
  noneText: 'No photo of the album is of this kind.',
  notLoaded: 'The photos could not be loaded',
  hide: 'Hide',
  show: 'Show',
  working: 'Working...',
  notChanged: 'The photos could not be changed',
  hidden: (count: number) =>
    `${photos(count)} hidden. Guests no longer see ${plural(count, { one: 'it', other: 'them' })}.`,
  shown: (count: number) => `${photos(count)} shown again.`,
  stayHidden: (count: number) =>
    `${photos(count)} ${plural(count, { one: 'stays', other: 'stay' })} hidden because a guest has asked.`,
  deleted: (count: number) => `${photos(count)} deleted for good`,
  deletedText:
    'Nobody can open or find them any more. Their files, smaller copies and faces are removed within minutes.',
  hadGone: (count: number) => `${photos(count)} had gone before.`,
}

export const deletePhotos = {
  question: (count: number) => `Delete ${photos(count)} for good?`,
  text: (count: number) =>
    `${plural(count, { one: 'It leaves', other: 'They leave' })} the album at once, for you and for all guests. This cannot be undone.`,
  forGood: 'Delete for good',
  deleting: 'Deleting...',
  failed: 'The photos could not be deleted',
  open: 'Delete',
}

export const aboutPhoto = {
  open: 'Details',
  title: 'What was seen in this photo',
  found: (count: number) =>
    `${digits(count)} ${plural(count, { one: 'face', other: 'faces' })} can be found.`,
  leftOut: (count: number) =>
    `${digits(count)} ${plural(count, { one: 'face', other: 'faces' })} cannot be found (dashed): `,
  taken: 'Taken',
  shifted: (minutes: string) => `(the clock is shifted by ${minutes})`,
  unknown: 'The file does not say it',
  camera: 'Camera',
  added: 'Uploaded',
  size: 'Size',
  pixels: (width: number, height: number, bytes: string) => `${width} × ${height} pixels, ${bytes}`,
}

export const cameras = {
  title: 'Set a camera clock right',
  text: 'Choose a photo of each camera that shows the same moment. The photos of the first camera then move to their places in the album. No file changes.',
  toMove: 'Camera to set right',
  compare: 'Camera that is right',
  shift: (minutes: string) => `The clock is shifted by ${minutes}.`,
  by: 'Shift the clock',
  days: 'Days',
  hours: 'Hours',
  minutes: 'Minutes',
  save: 'Shift the clock',
  saving: 'Shifting...',
  undo: 'Undo the shift',
  saved: 'The photos are in their new order',
  notSaved: 'The clock could not be shifted',
  more: 'More photos',
}
