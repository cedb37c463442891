import { useInfiniteQuery } from '@tanstack/react-query'
import * as common from '../../../src/texts/english/words.ts'
import { FailureNotice, MoreButton } from '../../ui/loading.tsx'
import { PhotoGrid, type PhotoGridProps } from './photo-grid.tsx'
import type { ViewedPhoto } from './photo-path.ts'
import { TakeHome, type TakeHomeProps } from './take-home/take-home.tsx'
import { usePhotoLinks } from './use-photo-links.ts'

interface Page<Photo> {
  photos: Photo[]
  /** Missing on the last page. */
  nextCursor?: string | undefined
}

interface PagesOptions<SomePage> {
  /** The first page, where it has come with another answer. */
  first?: SomePage | undefined
  /** Ms that the pages are kept after the list has gone. */
  gcTime?: number
  /** The addresses of its photos end. By default they are renewed. */
  onEnding?: () => void
}

export type PhotoPages<Photo extends ViewedPhoto = ViewedPhoto> = ReturnType<
  typeof usePhotoPages<Photo, Page<Photo>>
>

/** A list of photos that the service gives a page at a time. The addresses of all loaded pages are renewed before they expire.
 *  @param loadPage gives the page that begins there; the first one without a cursor */
export function usePhotoPages<Photo extends ViewedPhoto, SomePage extends Page<Photo>>(
  queryKey: readonly unknown[],
  loadPage: (cursor: string | undefined) => Promise<SomePage & Page<Photo>>,
  { first, gcTime, onEnding }: PagesOptions<SomePage & Page<Photo>> = {},
) {
  const known = first && { pages: [{ ...first, at: Date.now() }], pageParams: [undefined] }
  const list = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam }) => ({ ...(await loadPage(pageParam)), at: Date.now() }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    initialData: known,
    gcTime,
  })
  const pages = list.data?.pages
  const photos = pages?.flatMap((page) => page.photos)
  // A renewal that is running goes on.
  const renew = () => void list.refetch({ cancelRefetch: false })
  usePhotoLinks(pages && Math.min(...pages.map(({ at }) => at)), onEnding ?? renew)

  return {
    pages,
    photos,
    hasMore: list.hasNextPage,
    /** Also while the addresses are renewed: then nothing more is loaded. */
    isLoadingMore: list.isFetching,
    /** Why the last call failed. */
    error: list.error,
    /** Why the first page did not load. */
    firstError: list.isLoadingError ? list.error : null,
    /** Why the next page did not load. */
    moreError: list.isFetchNextPageError ? list.error : null,
    renew,
    /** Resolves to false when the next page has not come. */
    async loadMore(): Promise<boolean> {
      if (list.isFetching) return true
      return !(await list.fetchNextPage()).isError
    },
  }
}

export interface LoadedPagesProps
  extends Pick<TakeHomeProps, 'total' | 'chosen' | 'offersAll' | 'submissionId' | 'more'>,
    Pick<PhotoGridProps, 'photos' | 'columns' | 'about'> {
  list: Omit<PhotoPages, 'pages' | 'photos'>
  /** The title above the reason why the next page did not load. */
  notLoaded: string
}

/** The photos of the loaded pages, with all that visitors do with them. The next page comes when its place is near the window.
 *  After a failure it comes when the visitor asks for it. */
export function LoadedPages({ list, notLoaded, about, columns, ...props }: LoadedPagesProps) {
  const { isLoadingMore, moreError, loadMore } = list
  const showMore = () => void loadMore()

  // It looks anew after each change: the place of further photos may still be near the window.
  function showMoreNear(button: HTMLButtonElement) {
    const look = ([entry]: IntersectionObserverEntry[]) => entry!.isIntersecting && !moreError && showMore()
    const observer = new IntersectionObserver(look, { rootMargin: '200% 0px' })
    observer.observe(button)
    return () => observer.disconnect()
  }
  return (
    <>
      <TakeHome {...props} loadMore={loadMore} isLoadingMore={isLoadingMore} />
      <PhotoGrid {...props} columns={columns} about={about} onNearEnd={moreError ? undefined : showMore} />
      <FailureNotice error={moreError} className="mt-6" title={notLoaded} />
      {list.hasMore && (
        <p className="mt-6 text-center">
          <MoreButton ref={showMoreNear} isLoading={isLoadingMore} onClick={showMore}>
            {moreError ? common.tryAgain : common.showMore}
          </MoreButton>
        </p>
      )}
    </>
  )
}
