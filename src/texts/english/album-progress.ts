/** How far the photos of an album are. */
import { digits } from '../numbers.ts'
import { plural } from './counts.ts'

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

export const timeLeft = {
  fewSeconds: 'a few seconds left',
  seconds: (count: number) => `about ${count} seconds left`,
  minutes: (count: number) => `about ${plural(count, { one: 'a minute', other: `${count} minutes` })} left`,
  hours: (count: number) =>
    `about ${plural(count, { one: 'an hour', other: `${digits(count)} hours` })} left`,
}

export const facesEnded = {
  title: 'Face search has ended for this album',
  text: (date: string) => `Its photos are still here. The descriptions of the faces were deleted on ${date}.`,
}
