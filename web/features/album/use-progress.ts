import { useState } from 'react'
import { trpc } from '../../trpc.ts'

/** An album's progress, asked for every `pollMs` until it is complete. The asking goes on after a failure, so that
 *  the page mends itself when the service is back; `failure` stays until an answer has come. */
export function useProgress(albumId: string | undefined, pollMs: number) {
  const query = trpc.albums.progress.useQuery(
    { id: albumId ?? '' },
    {
      enabled: albumId !== undefined,
      refetchInterval: ({ state }) => (state.data?.isCompleted ? false : pollMs),
    },
  )
  // Each new attempt clears the query's own error.
  const [lastError, setLastError] = useState(query.error)
  if (query.error && query.error !== lastError) setLastError(query.error)
  const isFailing = query.errorUpdatedAt > query.dataUpdatedAt
  return { progress: query.data, failure: isFailing ? lastError : null, retry: query.refetch }
}
