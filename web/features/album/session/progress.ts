import type { Progress } from '../../../../src/contract/albums/albums.ts'
import { ALBUM_PROGRESS_POLL_MS } from '../../../../src/contract/limits.ts'
import { trpc } from '../../../trpc.ts'

/** An album's progress, asked for every 2 s until it is complete and, for an owner who watches the photos that were added,
 *  until none of them waits. Polling continues after a failure, so that the page recovers when the service does; `failure`
 *  stays until the next answer.
 *  @param first the progress from the page's first call */
export function useProgress(albumId: string, first: Progress, watchesRound: boolean) {
  const query = trpc.albums.progress.useQuery(
    { id: albumId },
    {
      initialData: first,
      refetchInterval: ({ state: { data } }) =>
        data?.isCompleted && !(watchesRound && photosWait(data)) ? false : ALBUM_PROGRESS_POLL_MS,
    },
  )
  const progress = watchesRound ? ofLaterRound(query.data) : query.data
  return { progress, failure: query.error, retry: query.refetch }
}

/** Whether photos that were added wait to be stored or indexed. An album that was complete once stays complete. */
export const photosWait = (progress: Progress): boolean =>
  progress.photosIndexedToRekognition < progress.totalPhotos

/** The progress of the photos that were added: complete when none of them waits. */
export function ofLaterRound(progress: Progress): Progress {
  return photosWait(progress) ? { ...progress, isCompleted: false } : progress
}

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
