import { useInfiniteQuery } from '@tanstack/react-query'
import { PHOTOS_LOADED_AT_ONCE } from '../../../../src/contract/limits.ts'
import { failureOf } from '../../../lib/failure.ts'
import { trpc } from '../../../trpc.ts'
import { renewAfterFailure, usePhotoLinks, whenRefused } from '../../photos/use-photo-links.ts'

export type Browse = ReturnType<typeof useBrowse>

interface BrowseEvents {
  /** The password is needed again. */
  onSessionEnded: () => void
  /** The album has been erased. */
  onGone: () => void
}

/** All photos of an album, a page at a time. The addresses of all loaded pages are renewed before they expire. */
export function useBrowse(albumName: string, { onSessionEnded, onGone }: BrowseEvents) {
  const { client } = trpc.useUtils()
  const list = useInfiniteQuery({
    queryKey: ['all photos', albumName],
    async queryFn({ pageParam: cursor }) {
      try {
        const page = await client.albums.browse.query({ albumName, limit: PHOTOS_LOADED_AT_ONCE, cursor })
        return { ...page, at: Date.now() }
      } catch (error) {
        // A visitor who enters again sees the same pages, and they get fresh addresses.
        if (failureOf(error)?.status === 401) onSessionEnded()
        if (failureOf(error)?.status === 404) onGone()
        throw error
      }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const pages = list.data?.pages
  const photos = pages?.flatMap((page) => page.photos)
  const issued = pages && Math.min(...pages.map(({ at }) => at))

  // A renewal that is running goes on.
  const renew = () => void list.refetch({ cancelRefetch: false })
  usePhotoLinks(pages?.[0]?.photos.length ? issued : undefined, renew)

  return {
    photos,
    // With all pages loaded, the total is the number of loaded photos, even if some were erased meanwhile.
    total: (list.hasNextPage ? pages?.at(-1)?.totalPhotos : photos?.length) ?? 0,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    /** Resolves to false when the next page has not come. */
    async loadMore(): Promise<boolean> {
      if (list.isFetching) return true
      return !(await list.fetchNextPage()).isError
    },
    /** Why the first page did not load. */
    error: list.isLoadingError ? list.error : null,
    /** Why the next page did not load. */
    moreError: list.isFetchNextPageError ? list.error : null,
    /** The organiser has not opened all photos to guests. */
    isClosed: failureOf(list.error)?.status === 403,
    /** When the oldest of the addresses were issued, ms since 1970. */
    issued,
    isRenewing: list.isRefetching && !list.isFetchingNextPage,
    renew,
    /** A photo's address does not load. */
    reportFailure: () => renewAfterFailure(issued, photos?.[0], renew),
    /** Renews the addresses if the service refuses them. */
    checkAddresses: () => void whenRefused(photos?.[0], renew),
  }
}
