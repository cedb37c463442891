/** Texts of the organiser's desk about the state of an album and its photos. */
import { digits } from '../numbers.ts'
import { photos, plural } from './counts.ts'

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
  sent: 'Files sent',
  skipped: 'Skipped',
  stored: 'Photos in the album',
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
