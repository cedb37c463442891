import type { Progress } from '../../../src/contract/albums.ts'
import { ALBUM_PROGRESS_POLL_MS } from '../../../src/contract/limits.ts'
import { trpc } from '../../trpc.ts'

/** An album's progress, asked for every 2 s until it is complete. Polling continues after a failure, so that the page
 *  recovers when the service does; `failure` stays until the next answer.
 *  @param first the progress from the page's first call */
export function useProgress(albumId: string, first: Progress) {
  const query = trpc.albums.progress.useQuery(
    { id: albumId },
    {
      initialData: first,
      refetchInterval: ({ state }) => (state.data?.isCompleted ? false : ALBUM_PROGRESS_POLL_MS),
    },
  )
  return { progress: query.data, failure: query.error, retry: query.refetch }
}
