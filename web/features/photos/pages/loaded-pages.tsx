import * as common from '../../../../src/texts/english/words.ts'
import { FailureNotice, MoreButton } from '../../../ui/loading.tsx'
import { PhotoGrid, type PhotoGridProps } from '../photo-grid.tsx'
import { TakeHome, type TakeHomeProps } from '../take-home/take-home.tsx'
import type { PhotoPages } from './use-photo-pages.ts'

export interface LoadedPagesProps
  extends Pick<TakeHomeProps, 'total' | 'chosen' | 'offersAll' | 'submissionId' | 'more'>,
    Pick<PhotoGridProps, 'photos' | 'about'> {
  list: Omit<PhotoPages, 'pages' | 'photos'>
  /** The title above the reason why the next page did not load. */
  notLoaded: string
}

/** The photos of the loaded pages, with all that visitors do with them. The next page comes when its place is near the window.
 *  After a failure it comes when the visitor asks for it. */
export function LoadedPages({ list, notLoaded, about, ...props }: LoadedPagesProps) {
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
      <PhotoGrid {...props} about={about} onNearEnd={moreError ? undefined : showMore} />
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
