import type { Progress } from '../../../../src/contract/albums/albums.ts'

/** Nothing is stored, and nothing is being uploaded. */
export function isEmpty({ totalPhotos, isUploadingToS3, isCompleted }: Progress): boolean {
  return totalPhotos === 0 && !isUploadingToS3 && !isCompleted
}

export type StepState = 'not-started' | 'in-progress' | 'done'

/** What the two step cards of the progress view say (§4). */
export function stepsOf(progress: Progress): { uploading: StepState; indexing: StepState } {
  const { totalPhotos, photosUploadedToS3, photosIndexedToRekognition, isCompleted } = progress
  const uploaded = totalPhotos > 0 && photosUploadedToS3 >= totalPhotos
  return {
    uploading: stateOf(isCompleted || uploaded, progress.isUploadingToS3 || photosUploadedToS3 > 0),
    // Between two batches nothing waits to be indexed, although photos have been.
    indexing: stateOf(
      isCompleted,
      progress.isIndexingToRekognition || uploaded || photosIndexedToRekognition > 0,
    ),
  }
}

function stateOf(done: boolean, active: boolean): StepState {
  if (done) return 'done'
  return active ? 'in-progress' : 'not-started'
}
