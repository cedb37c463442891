import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { PHOTOS_LOADED_AT_ONCE } from '../../../../src/contract/limits.ts'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import { failureOf } from '../../../lib/failure.ts'
import { trpc } from '../../../trpc.ts'
import { pathOf } from '../../photos/photo-path.ts'
import { renewAfterFailure, usePhotoLinks, whenRefused } from '../../photos/use-photo-links.ts'

export interface Browse {
  /** Those that are loaded, in the order in which they were taken. Undefined until the first page has come. */
  photos: readonly ResultPhoto[] | undefined
  /** How many there are, with those that are not loaded. */
  total: number
  hasMore: boolean
  isLoadingMore: boolean
  /** Loads the next page. Resolves to false when that has failed. */
  loadMore(): Promise<boolean>
  /** Why the first page did not load. */
  error: unknown
  /** Why the next page did not load. */
  moreError: unknown
  /** The organiser has not opened all photos to guests. */
  isClosed: boolean
  /** When the oldest of the addresses were issued, ms since 1970. */
  issued: number | undefined
  /** Whether all pages are being loaded again, with fresh addresses. */
  isRenewing: boolean
  renew(): void
  /** Takes out photos that were deleted. */
  remove(photos: readonly ResultPhoto[]): void
  /** Reports that a photo's address does not load. */
  reportFailure(): void
  /** Renews the addresses if the service refuses them. */
  checkAddresses(): void
}

interface BrowseEvents {
  /** The password is needed again. */
  onSessionEnded: () => void
  /** The album has been erased. */
  onGone: () => void
}

/** All photos of an album, a page at a time. The addresses of all loaded pages are renewed before they expire. */
export function useBrowse(albumName: string, { onSessionEnded, onGone }: BrowseEvents): Browse {
  const { client } = trpc.useUtils()
  const queries = useQueryClient()
  const queryKey = ['all photos', albumName]
  const list = useInfiniteQuery({
    queryKey,
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
    async loadMore() {
      if (list.isFetching) return true
      return !(await list.fetchNextPage()).isError
    },
    error: list.isLoadingError ? list.error : null,
    moreError: list.isFetchNextPageError ? list.error : null,
    isClosed: failureOf(list.error)?.status === 403,
    issued,
    isRenewing: list.isRefetching && !list.isFetchingNextPage,
    renew,
    remove(gone) {
      const paths = new Set(gone.map(pathOf))
      queries.setQueryData<typeof list.data>(
        queryKey,
        (loaded) =>
          loaded && {
            ...loaded,
            pages: loaded.pages.map((page) => ({
              ...page,
              photos: page.photos.filter((photo) => !paths.has(pathOf(photo))),
              totalPhotos: page.totalPhotos - paths.size,
            })),
          },
      )
    },
    reportFailure: () => renewAfterFailure(issued, photos?.[0], renew),
    checkAddresses: () => void whenRefused(photos?.[0], renew),
  }
}
