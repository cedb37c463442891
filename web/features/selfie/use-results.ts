import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import {
  PHOTOS_LOADED_AT_ONCE,
  PHOTOS_WITH_RESULTS,
  RESULT_PHOTOS_CACHE_MS,
  RESULTS_POLL_MS,
  RESULTS_RETRY_DELAY_MS,
} from '../../../src/contract/limits.ts'
import type { PossibleResult, ResultPhoto, Results } from '../../../src/contract/submissions.ts'
import { resultsGallery as texts } from '../../../src/texts/english/submissions.ts'
import { failureOf, failureText, serverMessage } from '../../lib/failure.ts'
import { trpc } from '../../trpc.ts'
import { afterFirstPicture } from '../photos/first-picture.ts'
import { deleteLater } from './delete-later.ts'

/** Photos in a row of the results on a phone. */
export const COLUMNS_ON_PHONES = 1
const UNPROCESSED: Results = { processed: false, totalMatches: 0 }
const NOBODY: PossibleResult[] = []

export type ResultsState =
  | { step: 'processing' }
  | { step: 'failed'; failure: Failure; reload: () => void }
  | { step: 'none' }
  /** The selfie was deleted before it could be searched with. */
  | { step: 'unmatched' }
  | FoundState

export interface FoundState {
  step: 'found'
  /** Of the submission. */
  id: string
  total: number
  /** Missing until the first page of a long list has loaded. Then those that have loaded. */
  photos: readonly ResultPhoto[] | undefined
  /** The visitor has to be asked about these. */
  possible: readonly PossibleResult[]
  /** When the photos' addresses were issued, ms since 1970. */
  issued: number | undefined
  /** Whether more photos are on their way. */
  isLoading: boolean
  /** Why the full list did not load. */
  listFailure: ListFailure | null
}

/** Polls a submission until it is processed, fetches its photos, and has it deleted 30 s after they are shown (§4). */
export function useResults(id: string): ResultsState {
  const results = trpc.submissions.results.useQuery(
    { id },
    {
      // Initial data keep a failure in view while the next call runs.
      initialData: UNPROCESSED,
      staleTime: 0,
      gcTime: 0,
      retry: 1,
      retryDelay: RESULTS_RETRY_DELAY_MS,
      refetchInterval: ({ state }) =>
        state.data?.processed || resultsFailure(state.error)?.isGone ? false : RESULTS_POLL_MS,
    },
  )
  const { processed, totalMatches, photos: few, possible = NOBODY, hasFailed } = results.data
  const isLong = processed && totalMatches > PHOTOS_WITH_RESULTS && !few?.length
  const { client } = trpc.useUtils()
  const list = usePhotoList(id, isLong)
  const photos = isLong ? list.photos : few
  const isLoading = isLong && !list.isComplete
  const isShown = processed && (totalMatches > 0 || possible.length > 0) && photos !== undefined && !isLoading

  useEffect(() => {
    if (isShown) deleteLater(id, () => client.submissions.delete.mutate({ id }))
  }, [isShown, id, client])

  // What has been processed stays on the page, whatever fails later (§8).
  const failure = processed ? null : resultsFailure(results.error)
  if (failure) return { step: 'failed', failure, reload: () => void results.refetch() }
  if (!processed) return { step: 'processing' }
  if (hasFailed) return { step: 'unmatched' }
  if ((totalMatches === 0 || photos?.length === 0) && possible.length === 0) return { step: 'none' }
  const listFailure = isLong ? resultsFailure(list.error) : null
  return {
    step: 'found',
    id,
    total: totalMatches,
    photos,
    possible,
    issued: isLong ? list.issued : photos && results.dataUpdatedAt,
    isLoading: isLoading && !listFailure,
    listFailure: listFailure && { ...listFailure, reload: list.loadMore },
  }
}

/** The full list of a submission's photos. It comes in pages, one after the other, and the first is shown at once. All
 *  are loaded without waiting for the visitor, because the submission is deleted soon. */
function usePhotoList(id: string, enabled: boolean) {
  const { client } = trpc.useUtils()
  const list = useInfiniteQuery({
    queryKey: ['photos of a submission', id],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const page = { id, limit: PHOTOS_LOADED_AT_ONCE, cursor }
      const answer = await client.submissions.photos.query(page, { signal })
      return { ...answer, issued: Date.now() }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled,
    staleTime: RESULT_PHOTOS_CACHE_MS,
    gcTime: RESULT_PHOTOS_CACHE_MS,
  })
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = list
  useEffect(() => {
    if (enabled && hasNextPage && !isFetching && !error) return afterFirstPicture(() => void fetchNextPage())
  }, [enabled, hasNextPage, isFetching, error, fetchNextPage])
  return {
    photos: useMemo(() => data?.pages.flatMap((page) => page.photos), [data]),
    /** Of the oldest addresses. */
    issued: data?.pages[0]?.issued,
    isComplete: data !== undefined && !hasNextPage,
    error,
    loadMore: () => void (data ? fetchNextPage() : refetch()),
  }
}

export interface ListFailure extends Failure {
  reload(): void
}

export interface Failure {
  /** 'HTTP {status}: {statusText}' (§8). */
  message: string
  /** The results have been deleted, or there never were any. */
  isGone: boolean
}

function resultsFailure(error: unknown): Failure | null {
  if (!error) return null
  const failure = failureOf(error)
  const status = failure?.status || failure?.foreignStatus
  if (!status) return { message: failureText(error), isGone: false }
  // HTTP/2 has no status text.
  const text = failure!.statusText || serverMessage(error) || texts.noReason
  return { message: `HTTP ${status}: ${text}`, isGone: failure!.status === 404 }
}
