import { useEffect, useEffectEvent, useRef } from 'react'
import {
  PHOTOS_LOADED_AT_ONCE,
  PHOTOS_WITH_RESULTS,
  RESULT_PHOTOS_CACHE_MS,
  RESULTS_POLL_MS,
  RESULTS_RETRY_DELAY_MS,
  SUBMISSION_DELETION_DELAY_MS,
} from '../../../src/contract/limits.ts'
import type { ResultPhoto, Results } from '../../../src/contract/submissions.ts'
import { resultsGallery as texts } from '../../../src/texts/english/submissions.ts'
import { failureOf, failureText, serverMessage } from '../../lib/failure.ts'
import { pause } from '../../lib/pause.ts'
import { trpc } from '../../trpc.ts'
import { usePhotoPages } from '../photos/photo-pages.tsx'

/** What waits for the first picture waits no longer than this. */
const FIRST_PICTURE_MS = 3_000
const UNPROCESSED: Results = { processed: false, totalMatches: 0 }

/** Polls a submission until it is processed. */
export function useResults(id: string) {
  return trpc.submissions.results.useQuery(
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
}

/** The photos of a submission that has been processed, which is deleted 30 s after they are shown (§4). A long list comes in
 *  pages, one after the other, and the first is shown at once. All are loaded without waiting for the visitor, because
 *  the submission is deleted soon.
 *  @param onEnding the addresses of the photos end */
export function useFoundPhotos(id: string, results: Results, onEnding: () => void) {
  const { totalMatches, photos: few, possible } = results
  const isLong = totalMatches > PHOTOS_WITH_RESULTS && !few?.length
  const { client } = trpc.useUtils()
  // The pages after the first do not share a slow network with the first picture.
  const firstPicture = useRef<Promise<unknown>>(undefined)
  const list = usePhotoPages(['photos of a submission', id], load, {
    first: isLong ? undefined : { photos: few ?? [] },
    gcTime: RESULT_PHOTOS_CACHE_MS,
    onEnding,
  })
  const { photos, hasMore, isLoadingMore, error } = list

  async function load(cursor: string | undefined) {
    await firstPicture.current
    const page = await client.submissions.photos.query({ id, limit: PHOTOS_LOADED_AT_ONCE, cursor })
    if (!cursor && page.photos[0]) firstPicture.current = pictureOf(page.photos[0])
    return page
  }

  const loadMore = useEffectEvent(list.loadMore)
  const isDue = hasMore && !isLoadingMore && !error
  useEffect(() => {
    if (isDue) void loadMore()
  }, [isDue])

  const isShown = photos !== undefined && !hasMore && totalMatches + (possible?.length ?? 0) > 0
  // Also when the visitor has gone on to another page of the site. When they have left the site, the service deletes the
  // submission after an hour.
  useEffect(() => {
    if (!isShown) return
    const erase = () => client.submissions.delete.mutate({ id })
    const log = (error: unknown) => console.error('The submission could not be deleted', error)
    setTimeout(() => erase().catch(log), SUBMISSION_DELETION_DELAY_MS)
  }, [isShown, id, client])

  return list
}

/** Loads the first picture while the page is drawn.
 *  @returns resolves when it has come, or does not come soon */
function pictureOf({ thumbUrl }: ResultPhoto): Promise<unknown> {
  const picture = new Image()
  picture.src = thumbUrl
  return Promise.race([picture.decode().catch(() => {}), pause(FIRST_PICTURE_MS)])
}

/** Why results did not load.
 *  @returns `message`: 'HTTP {status}: {statusText}' (§8); `isGone`: they have been deleted, or there never were any */
export function resultsFailure(error: unknown): { message: string; isGone: boolean } | undefined {
  if (!error) return undefined
  const failure = failureOf(error)
  const status = failure?.status || failure?.foreignStatus
  if (!status) return { message: failureText(error), isGone: false }
  // HTTP/2 has no status text.
  const text = failure!.statusText || serverMessage(error) || texts.noReason
  return { message: `HTTP ${status}: ${text}`, isGone: failure!.status === 404 }
}
