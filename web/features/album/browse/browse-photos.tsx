import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { ZIP_MAX_PHOTOS } from '../../../../src/contract/limits.ts'
import { browsePhotos as texts } from '../../../../src/texts/english/photos.ts'
import { PhotosIcon } from '../../../ui/action-icons.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { LockIcon } from '../../../ui/more-icons.tsx'
import { COLUMNS_ON_PHONES, LoadedPages } from '../../photos/pages/loaded-pages.tsx'
import { PhotoGridSkeleton } from '../../photos/photo-grid-skeleton.tsx'
import { useChosen } from '../../photos/take-home/use-chosen.ts'
import { useSearch } from '../search/use-search.tsx'
import { SearchLink } from './browse-link.tsx'
import { useBrowse } from './use-browse.ts'

export interface BrowsePhotosProps {
  album: EnteredAlbum
  /** The album has been erased. */
  onGone: () => void
}

/** All photos of an album, for a visitor who wants no face search. */
export default function BrowsePhotos({ album, onGone }: BrowsePhotosProps) {
  const { albumName } = album
  const browse = useBrowse(albumName, { onSessionEnded: useSearch().endSession, onGone })
  const { photos, total, firstError } = browse
  const chosen = useChosen()
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
      <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
        <h2 id="all-photos" className="text-2xl font-bold tracking-tight">
          {photos ? texts.titleWith(total) : texts.title}
        </h2>
        {search}
      </div>
      <FailureNotice error={firstError} className="mt-6" title={texts.notLoaded} onRetry={browse.renew} />
      {photos ? (
        <>
          <p role="status" className="sr-only">
            {texts.showing(photos.length, total)}
          </p>
          <LoadedPages
            list={browse}
            photos={photos}
            total={total}
            chosen={chosen}
            offersAll={total <= ZIP_MAX_PHOTOS}
            notLoaded={texts.notLoaded}
          />
        </>
      ) : (
        !firstError && (
          <div role="status">
            <p className="sr-only">{texts.loading}</p>
            <PhotoGridSkeleton columns={COLUMNS_ON_PHONES} />
          </div>
        )
      )}
    </section>
  )
}
