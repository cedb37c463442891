import { hashKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { OwnerPhoto, WhichPhotos } from '../../../../src/contract/desk-photos.ts'
import { PAGE_MAX_PHOTOS, PHOTOS_LOADED_AT_ONCE } from '../../../../src/contract/limits.ts'
import { trpc } from '../../../trpc.ts'
import { renewAfterFailure, usePhotoLinks, whenRefused } from '../../photos/use-photo-links.ts'

export interface PhotoFilter {
  which?: WhichPhotos | undefined
  camera?: string | undefined
  hour?: string | undefined
}

/** The photos of an album that its owner wants to see, a page at a time. */
export function useOwnerPhotos(id: string, filter: PhotoFilter) {
  const { client } = trpc.useUtils()
  const queries = useQueryClient()
  const ofAlbum = ['photos for the owner', id]
  const queryKey = [...ofAlbum, filter]
  const list = useInfiniteQuery({
    queryKey,
    async queryFn({ pageParam: cursor }) {
      const limit = cursor ? PAGE_MAX_PHOTOS : PHOTOS_LOADED_AT_ONCE
      const page = await client.albums.ownerPhotos.query({ id, ...filter, limit, cursor })
      return { ...page, at: Date.now() }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Another section may have changed them.
    gcTime: 0,
  })
  const pages = list.data?.pages
  const photos = pages?.flatMap((page) => page.photos)
  const issued = pages && Math.min(...pages.map(({ at }) => at))
  // A renewal that is running goes on.
  const renew = () => void list.refetch({ cancelRefetch: false })
  usePhotoLinks(photos?.length ? issued : undefined, renew)

  return {
    photos,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    isRenewing: list.isRefetching && !list.isFetchingNextPage,
    issued,
    error: list.error,
    renew,
    /** Resolves to false when the next page has not come. */
    async loadMore(): Promise<boolean> {
      if (list.isFetching) return true
      return !(await list.fetchNextPage()).isError
    },
    /** Shows what has become of photos, without those for which there is nothing. */
    change(ids: ReadonlySet<string>, to: (photo: OwnerPhoto) => OwnerPhoto[]) {
      queries.setQueryData<typeof list.data>(
        queryKey,
        (loaded) =>
          loaded && {
            ...loaded,
            pages: loaded.pages.map((page) => ({
              ...page,
              photos: page.photos.flatMap((photo) => (ids.has(photo.id) ? to(photo) : photo)),
            })),
          },
      )
      // The owner may see others by now, which were asked for before the change was done.
      const isOther = ({ queryHash }: { queryHash: string }) => queryHash !== hashKey(queryKey)
      void queries.invalidateQueries({ queryKey: ofAlbum, predicate: isOther })
    },
    reportFailure: () => renewAfterFailure(issued, photos?.[0], renew),
    checkAddresses: () => void whenRefused(photos?.[0], renew),
  }
}
export type OwnerPhotos = ReturnType<typeof useOwnerPhotos>
