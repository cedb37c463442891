import { Link } from '@tanstack/react-router'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { PHOTOS_LOADED_AT_ONCE, ZIP_MAX_PHOTOS } from '../../../../src/contract/limits.ts'
import { browseLink } from '../../../../src/texts/english/album.ts'
import { browsePhotos as texts } from '../../../../src/texts/english/photos.ts'
import { failureOf } from '../../../lib/failure.ts'
import { focusContent } from '../../../lib/focus.ts'
import { trpc } from '../../../trpc.ts'
import { PhotosIcon } from '../../../ui/action-icons.tsx'
import { buttonLook } from '../../../ui/button-look.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { LockIcon } from '../../../ui/more-icons.tsx'
import { PhotoGridSkeleton } from '../../photos/photo-grid-skeleton.tsx'
import { LoadedPages, usePhotoPages } from '../../photos/photo-pages.tsx'
import { useChosen } from '../../photos/take-home/take-home.tsx'
import { useSearch } from '../search/use-search.tsx'

/** All photos of an album, for a visitor who wants no face search.
 *  @param onGone the album has been erased */
export default function BrowsePhotos({ album, onGone }: { album: EnteredAlbum; onGone: () => void }) {
  const { albumName } = album
  const { endSession } = useSearch()
  const { client } = trpc.useUtils()
  const list = usePhotoPages(['all photos', albumName], async (cursor) => {
    try {
      return await client.albums.browse.query({ albumName, limit: PHOTOS_LOADED_AT_ONCE, cursor })
    } catch (error) {
      // A visitor who enters again sees the same pages, and they get fresh addresses.
      if (failureOf(error)?.status === 401) endSession()
      if (failureOf(error)?.status === 404) onGone()
      throw error
    }
  })
  const { photos, firstError } = list
  // With all pages loaded, the total is the number of loaded photos, even if some were erased meanwhile.
  const total = (list.hasMore ? list.pages?.at(-1)?.totalPhotos : photos?.length) ?? 0
  const chosen = useChosen()
  // The service would let the owner, who looks at the album as a guest.
  const isOff = album.browsing === 'off' && !album.isOwner
  const isClosed = isOff || failureOf(list.error)?.status === 403
  // The search takes the place of the link, so the focus moves there.
  const search = (
    <Link
      to="/album/$albumName"
      params={{ albumName }}
      onClick={focusContent}
      className={buttonLook('secondary')}
    >
      {browseLink.search}
    </Link>
  )

  if (isClosed || photos?.length === 0)
    return (
      <EmptyState
        icon={isClosed ? <LockIcon className="size-10" /> : <PhotosIcon className="size-10" />}
        title={isClosed ? texts.closed : texts.none}
        action={search}
      >
        {isClosed ? texts.closedText : texts.noneText}
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
      <FailureNotice error={firstError} className="mt-6" title={texts.notLoaded} onRetry={list.renew} />
      {photos ? (
        <>
          <p role="status" className="sr-only">
            {texts.showing(photos.length, total)}
          </p>
          <LoadedPages
            list={list}
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
            <PhotoGridSkeleton />
          </div>
        )
      )}
    </section>
  )
}
