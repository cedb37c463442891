import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { EnteredAlbum } from '../../../../src/contract/albums.ts'
import { ZIP_MAX_PHOTOS } from '../../../../src/contract/limits.ts'
import { browsePhotos as texts } from '../../../../src/texts/english/photos.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { failureText } from '../../../lib/failure.ts'
import { PhotosIcon } from '../../../ui/action-icons.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { LockIcon } from '../../../ui/more-icons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PhotoGrid } from '../../photos/photo-grid.tsx'
import { PhotoGridSkeleton } from '../../photos/photo-grid-skeleton.tsx'
import { TakeHome } from '../../photos/take-home/take-home.tsx'
import { useChosen } from '../../photos/take-home/use-chosen.ts'
import { COLUMNS_ON_PHONES, useSearch } from '../search/use-search.tsx'
import { SearchLink } from './browse-link.tsx'
import { type Browse, useBrowse } from './use-browse.ts'

export interface BrowsePhotosProps {
  album: EnteredAlbum
  /** The album has been erased. */
  onGone: () => void
}

/** All photos of an album, for a visitor who wants no face search. */
export default function BrowsePhotos({ album, onGone }: BrowsePhotosProps) {
  const { albumName } = album
  const browse = useBrowse(albumName, { onSessionEnded: useSearch().endSession, onGone })
  const { photos, total, error } = browse
  // The service would let the owner, who looks at the album as a guest.
  const isClosed = browse.isClosed || (album.browsing === 'off' && !album.isOwner)
  const search = <SearchLink albumName={albumName} />

  if (isClosed)
    return (
      <EmptyState icon={<LockIcon className="size-10" />} title={texts.closed} action={search}>
        {texts.closedText}
      </EmptyState>
    )
  if (photos?.length === 0)
    return (
      <EmptyState icon={<PhotosIcon className="size-10" />} title={texts.none} action={search}>
        {texts.noneText}
      </EmptyState>
    )
  return (
    <section aria-labelledby="all-photos">
      <Heading title={photos ? texts.titleWith(total) : texts.title} action={search} />
      {photos ? (
        <LoadedPhotos browse={browse} photos={photos} />
      ) : error !== null ? (
        <NotLoaded error={error} onRetry={browse.renew} />
      ) : (
        <div role="status">
          <p className="sr-only">{texts.loading}</p>
          <PhotoGridSkeleton columns={COLUMNS_ON_PHONES} />
        </div>
      )}
    </section>
  )
}

function Heading({ title, action }: { title: string; action: ReactNode }) {
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
      <h2 id="all-photos" className="text-2xl font-bold tracking-tight">
        {title}
      </h2>
      {action}
    </div>
  )
}

interface LoadedPhotosProps {
  browse: Browse
  photos: NonNullable<Browse['photos']>
}

function LoadedPhotos({ browse, photos }: LoadedPhotosProps) {
  const { total, hasMore, isLoadingMore, isRenewing, loadMore, moreError } = browse
  const chosen = useChosen()
  const button = useRef<HTMLButtonElement>(null)
  const showMore = () => void loadMore()
  useNearby(button, `${photos.length} ${isRenewing}`, () => {
    if (!moreError) showMore()
  })

  return (
    <>
      <p role="status" className="sr-only">
        {texts.showing(photos.length, total)}
      </p>
      <TakeHome
        photos={photos}
        total={total}
        loadMore={loadMore}
        // While the addresses are renewed, nothing more is loaded.
        isLoadingMore={isLoadingMore || isRenewing}
        chosen={chosen}
        offersAll={total <= ZIP_MAX_PHOTOS}
        onFail={browse.checkAddresses}
      />
      <PhotoGrid
        photos={photos}
        chosen={chosen}
        total={total}
        columns={COLUMNS_ON_PHONES}
        issued={browse.issued}
        isRenewing={isRenewing}
        onFail={browse.reportFailure}
        onDownload={browse.checkAddresses}
        onRetry={browse.renew}
        onNearEnd={moreError === null ? showMore : undefined}
      />
      {moreError !== null && <NotLoaded error={moreError} />}
      {hasMore && (
        <p className="mt-6 text-center">
          <MoreButton ref={button} isLoading={isLoadingMore} onClick={showMore}>
            {moreError !== null ? common.tryAgain : common.showMore}
          </MoreButton>
        </p>
      )}
    </>
  )
}

/** Calls back when an element comes near the window, and when it is near after `state` has changed. */
function useNearby(element: RefObject<Element | null>, state: string, onNear: () => void): void {
  const near = useEffectEvent(onNear)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new observer looks again.
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && near(), {
      rootMargin: '150% 0px',
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, state])
}

function NotLoaded({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <Notice tone="error" className="mt-6" title={texts.notLoaded}>
      <p>{failureText(error)}</p>
      {onRetry && (
        <Button look="secondary" className="mt-4" onClick={onRetry}>
          {common.tryAgain}
        </Button>
      )}
    </Notice>
  )
}
