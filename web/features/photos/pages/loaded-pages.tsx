import { useEffect, useEffectEvent, useRef } from 'react'
import * as common from '../../../../src/texts/english/words.ts'
import { FailureNotice, MoreButton } from '../../../ui/loading.tsx'
import { PhotoGrid, type PhotoGridProps } from '../photo-grid.tsx'
import { TakeHome, type TakeHomeProps } from '../take-home/take-home.tsx'
import type { PhotoPages } from './use-photo-pages.ts'

/** Columns of the lists on a phone. */
export const COLUMNS_ON_PHONES = 2

export interface LoadedPagesProps
  extends Pick<TakeHomeProps, 'total' | 'chosen' | 'offersAll' | 'more'>,
    Pick<PhotoGridProps, 'photos' | 'about'> {
  list: Omit<PhotoPages, 'pages' | 'photos'>
  /** The title above the reason why the next page did not load. */
  notLoaded: string
}

/** The photos of the loaded pages, with all that visitors do with them. The next page comes when its place is near the window.
 *  After a failure it comes when the visitor asks for it. */
export function LoadedPages({ list, notLoaded, about, ...props }: LoadedPagesProps) {
  const { photos, total, chosen } = props
  const { isLoadingMore, links, moreError } = list
  const showMore = () => void list.loadMore()
  const more = useRef<HTMLButtonElement>(null)
  const showMoreItself = useEffectEvent(() => {
    if (!moreError) showMore()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place of further photos may still be near the window.
  useEffect(() => {
    if (!more.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && showMoreItself(), {
      rootMargin: '200% 0px',
    })
    observer.observe(more.current)
    return () => observer.disconnect()
  }, [photos.length, isLoadingMore, links.isRenewing])

  return (
    <>
      <TakeHome
        {...props}
        loadMore={list.loadMore}
        // While the addresses are renewed, nothing more is loaded.
        isLoadingMore={isLoadingMore || links.isRenewing}
        onFail={links.onDownload}
      />
      <PhotoGrid
        photos={photos}
        chosen={chosen}
        total={total}
        columns={COLUMNS_ON_PHONES}
        about={about}
        {...links}
        onNearEnd={moreError ? undefined : showMore}
      />
      <FailureNotice error={moreError} className="mt-6" title={notLoaded} />
      {list.hasMore && (
        <p className="mt-6 text-center">
          <MoreButton ref={more} isLoading={isLoadingMore} onClick={showMore}>
            {moreError ? common.tryAgain : common.showMore}
          </MoreButton>
        </p>
      )}
    </>
  )
}
