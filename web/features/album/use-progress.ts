import type { Progress } from '../../../src/contract/albums.ts'
import { ALBUM_PROGRESS_POLL_MS } from '../../../src/contract/limits.ts'
import { trpc } from '../../trpc.ts'
import { photosWait } from './later-round.ts'

/** An album's progress, asked for every 2 s until it is complete and, for an owner who watches the photos that were added,
 *  until none of them waits. Polling continues after a failure, so that the page recovers when the service does; `failure`
 *  stays until the next answer.
 *  @param first the progress from the page's first call */
export function useProgress(albumId: string, first: Progress, watchesRound = false) {
  const query = trpc.albums.progress.useQuery(
    { id: albumId },
    {
      initialData: first,
      refetchInterval: ({ state: { data } }) =>
        data?.isCompleted && !(watchesRound && photosWait(data)) ? false : ALBUM_PROGRESS_POLL_MS,
    },
  )
  return { progress: query.data, failure: query.error, retry: query.refetch }
}
