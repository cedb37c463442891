import type { Progress } from '../../../src/contract/albums.ts'

/** Whether photos that were added wait to be stored or indexed. An album that was complete once stays complete. */
export const photosWait = (progress: Progress): boolean =>
  progress.photosIndexedToRekognition < progress.totalPhotos

/** The progress of the photos that were added: complete when none of them waits. */
export function ofLaterRound(progress: Progress): Progress {
  return photosWait(progress) ? { ...progress, isCompleted: false } : progress
}
