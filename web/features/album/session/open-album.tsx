import { Link, useSearch as useAddress } from '@tanstack/react-router'
import { Activity, Suspense, useState } from 'react'
import type { AlbumVisit } from '../../../../src/contract/albums/album-visits.ts'
import type { Progress } from '../../../../src/contract/albums/albums.ts'
import { ALBUM_PROGRESS_POLL_MS } from '../../../../src/contract/limits.ts'
import { album as texts } from '../../../../src/texts/english/album.ts'
import { facesEnded } from '../../../../src/texts/english/album-progress.ts'
import { focusContent } from '../../../lib/focus.ts'
import { formatDate } from '../../../lib/format.ts'
import { Later, lazyPart, orNothing, Preload } from '../../../lib/lazy-part.ts'
import { KEPT } from '../../../lib/persisted.ts'
import { useEnded } from '../../../lib/use-ended.ts'
import { trpc } from '../../../trpc.ts'
import { buttonLook } from '../../../ui/button-look.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Page, PageHeading } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { BrowseLink, SeeAllLink } from '../browse/browse-link.tsx'
import { SearchProvider, useSearch } from '../search/use-search.tsx'

const ProgressView = lazyPart(() => import('./progress-view.tsx'))
const SelfieSearch = lazyPart(() => import('../search/selfie-search.tsx'))
const BrowsePhotos = lazyPart(() => import('../browse/browse-photos.tsx'))
const ShareCard = lazyPart(() => import('../../share/share-card.tsx').catch(orNothing))
/** It is below the share card, which would push it away from the visitor's finger. */
const LogOut = lazyPart(async () => {
  await ShareCard.preload?.()
  return import('./log-out.tsx').catch(orNothing)
})

export interface OpenAlbumProps {
  album: NonNullable<AlbumVisit['album']>
  /** As of the page's first call. */
  progress: Progress
  onLoggedOut: () => void
  onSessionEnded: () => void
  /** The album has been erased. */
  onGone: () => void
}

/** The album of a visitor who has entered. The page asks for its progress every 2 s until it is complete. It goes on after a
 *  failure, so that it recovers when the service does; the failure stays until the next answer. */
export default function OpenAlbum({ progress: first, ...props }: OpenAlbumProps) {
  const progress = trpc.albums.progress.useQuery(
    { id: props.album.id },
    {
      initialData: first,
      refetchInterval: ({ state }) => !state.data?.isCompleted && ALBUM_PROGRESS_POLL_MS,
    },
  )
  return (
    <SearchProvider {...props} photosReady={progress.data.photosIndexedToRekognition}>
      <Parts {...props} progress={progress.data} failure={progress.error} />
    </SearchProvider>
  )
}

type PartsProps = Omit<OpenAlbumProps, 'onSessionEnded'> & { failure: unknown }

function Parts({ album, onLoggedOut, onGone, progress, failure }: PartsProps) {
  const { endSession, state } = useSearch()
  useEnded(failure, { onSessionEnded: endSession, onGone })
  // The progress view stays once it is shown: it announces the completion and then reloads the page. A visitor who is remembered, or
  // has searched in this tab, sees their photos at once.
  const [seesProgress, setSeesProgress] = useState(
    !progress.isCompleted &&
      (progress.photosIndexedToRekognition === 0 ||
        (state.remembered === null && KEPT.search.read(album.albumName) === null)),
  )
  const { photos, as } = useAddress({ from: '/data/album/$albumName' })
  const isBrowsing = photos === 'all'

  const share = (
    <Later>
      <ShareCard
        displayName={album.displayName}
        albumName={album.albumName}
        password={album.albumPassword}
        showsPassword={album.isOwner}
      />
    </Later>
  )
  return (
    <Page width={seesProgress && !isBrowsing ? 'read' : 'page'}>
      {album.cover && <Cover {...album.cover} />}
      <PageHeading
        title={album.displayName}
        subtitle={isBrowsing ? undefined : subtitleOf(album, progress, seesProgress)}
      />
      {album.isOwner && (
        <p className="-mt-3 mb-8">
          <Link
            to="/manage/$albumName/{-$section}"
            params={{ albumName: album.albumName }}
            className={buttonLook('secondary')}
          >
            {texts.manage}
          </Link>
        </p>
      )}
      {/* Nothing is drawn before what is above it, so that it does not move while code loads. */}
      <Suspense fallback={<Skeleton className="h-80 rounded-xl" />}>
        {isBrowsing && <BrowsePhotos album={album} onGone={onGone} />}
        <Activity mode={isBrowsing ? 'hidden' : 'visible'}>
          {progress.facesEndedAt ? (
            <div className="mx-auto max-w-read space-y-6">
              <Notice title={facesEnded.title}>{facesEnded.text(formatDate(progress.facesEndedAt))}</Notice>
              {(album.isOwner || album.browsing === 'on') && <SeeAllLink albumName={album.albumName} />}
              {share}
            </div>
          ) : seesProgress ? (
            <ProgressView
              progress={progress}
              failure={failure}
              onSearch={() => {
                setSeesProgress(false)
                focusContent()
              }}
              album={album}
            />
          ) : (
            <SelfieSearch
              progress={progress}
              facesEndDays={album.facesEndDays}
              instead={album.browsing === 'on' && <BrowseLink albumName={album.albumName} />}
              aside={share}
            />
          )}
        </Activity>
        <Preload part={SelfieSearch} />
        <Preload part={BrowsePhotos} isWanted={album.browsing === 'on' || album.isOwner} />
        <Later>{!as && <LogOut album={album} onLoggedOut={onLoggedOut} />}</Later>
      </Suspense>
    </Page>
  )
}

function subtitleOf({ forChildren }: OpenAlbumProps['album'], progress: Progress, isProcessing: boolean) {
  if (progress.facesEndedAt) return undefined
  if (isProcessing) return texts.preparing
  // An album for children says beside the selfie what parents may do.
  return forChildren === 'on' ? undefined : texts.dropSelfie
}

/** The photo above the name of an album: all of it, or as much as a band shows, with the highest head. It has its height before it is
 *  loaded. */
function Cover({ url, width, height, facesAt }: NonNullable<OpenAlbumProps['album']['cover']>) {
  return (
    <img
      src={url}
      alt=""
      className="mb-8 w-full rounded-xl bg-sunken object-cover"
      style={{
        maxHeight: 'min(24rem, 40vh)',
        aspectRatio: `${width} / ${height}`,
        objectPosition: `50% ${facesAt * 100}%`,
      }}
    />
  )
}
