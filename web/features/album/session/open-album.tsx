import { Link, useSearch as useAddress } from '@tanstack/react-router'
import { Activity, Suspense, useEffect, useRef, useState } from 'react'
import type { AlbumVisit } from '../../../../src/contract/albums/album-visits.ts'
import type { Progress } from '../../../../src/contract/albums/albums.ts'
import { album as texts } from '../../../../src/texts/english/album.ts'
import { focusContent } from '../../../lib/focus.ts'
import { Later, lazyPart, orNothing, Preload } from '../../../lib/lazy-part.ts'
import { KEPT } from '../../../lib/persisted.ts'
import { useEnded } from '../../../lib/use-ended.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonLook } from '../../../ui/button-look.ts'
import { Page, PageHeading } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { BrowseLink } from '../browse/browse-link.tsx'
import { SearchProvider, useSearch } from '../search/use-search.tsx'
import { isEmpty, photosWait, useProgress } from './progress.ts'

const Cover = lazyPart(() => import('./cover.tsx').catch(orNothing))
const ProgressView = lazyPart(() => import('./progress-view.tsx'))
const SelfieSearch = lazyPart(() => import('../search/selfie-search.tsx'))
const BrowsePhotos = lazyPart(() => import('../browse/browse-photos.tsx'))
const FacesEnded = lazyPart(() => import('../search/faces-ended.tsx'))
const NothingUploaded = lazyPart(() => import('../../own-albums/upload-here.tsx').catch(orNothing))
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
  /** @param keepsSelfie whether the visitor has chosen a selfie, which stays chosen */
  onSessionEnded: (keepsSelfie: boolean) => void
  /** The album has been erased. */
  onGone: () => void
}

/** The album of a visitor who has entered. */
export default function OpenAlbum({ progress: first, ...props }: OpenAlbumProps) {
  const { album } = props
  // The organiser comes to see what has become of the photos they added. Guests come to search.
  const [watchesRound] = useState(album.isOwner && photosWait(first))
  const polled = useProgress(album.id, first, watchesRound)
  return (
    <SearchProvider {...props} photosReady={polled.progress.photosIndexedToRekognition}>
      <Parts {...props} {...polled} />
    </SearchProvider>
  )
}

type PartsProps = Omit<OpenAlbumProps, 'progress'> & ReturnType<typeof useProgress>

function Parts({ album, onLoggedOut, onGone, progress, failure, retry }: PartsProps) {
  const { endSession, state } = useSearch()
  // The progress view stays once it is shown: it announces the completion and then reloads the page.
  const [sawProcessing] = useState(!progress.isCompleted)
  // A visitor who is remembered, or has searched in this tab, sees their photos at once.
  const [searchesEarly, setSearchesEarly] = useState(
    progress.photosIndexedToRekognition > 0 &&
      (state.remembered !== null || KEPT.search.read(album.albumName) !== null),
  )
  const seesProgress = sawProcessing && !searchesEarly
  const { photos, as } = useAddress({ from: '/data/album/$albumName' })
  const isBrowsing = photos === 'all'
  useFocusOnContent(isBrowsing)

  function show({ search }: { search: boolean }) {
    setSearchesEarly(search)
    focusContent()
  }

  const isLeft = useEnded(failure, { onSessionEnded: endSession, onGone })

  const browseLink = album.browsing === 'on' && <BrowseLink albumName={album.albumName} />
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
            <FacesEnded album={album} since={progress.facesEndedAt}>
              {share}
            </FacesEnded>
          ) : seesProgress ? (
            <ProgressView
              progress={progress}
              failure={isLeft ? null : failure}
              onRetry={retry}
              onSearch={() => show({ search: true })}
              whenEmpty={
                <Suspense>
                  <NothingUploaded album={album} />
                </Suspense>
              }
            />
          ) : (
            <SelfieSearch
              progress={progress}
              facesEndDays={album.facesEndDays}
              instead={browseLink}
              aside={share}
            />
          )}
          {seesProgress && progress.photosIndexedToRekognition > 0 && (
            <div className="mt-6">{browseLink}</div>
          )}
          {searchesEarly && !progress.isCompleted && (
            <p className="mt-6 text-center">
              <Button look="quiet" onClick={() => show({ search: false })}>
                {texts.backToProgress}
              </Button>
            </p>
          )}
        </Activity>
        <Preload part={SelfieSearch} />
        <Preload part={BrowsePhotos} isWanted={album.browsing === 'on' || album.isOwner} />
        <Later>
          <LogOut album={album} as={as} onLoggedOut={onLoggedOut} />
        </Later>
      </Suspense>
    </Page>
  )
}

/** When all photos take the place of the search, or the search theirs, the focus moves to them. */
function useFocusOnContent(isBrowsing: boolean): void {
  const former = useRef(isBrowsing)
  useEffect(() => {
    if (former.current !== isBrowsing) focusContent()
    former.current = isBrowsing
  }, [isBrowsing])
}

function subtitleOf(
  { forChildren }: OpenAlbumProps['album'],
  progress: Progress,
  isProcessing: boolean,
): string | undefined {
  if (progress.facesEndedAt) return undefined
  // An album for children says beside the selfie what parents may do.
  if (!isProcessing) return forChildren === 'on' ? undefined : texts.dropSelfie
  return isEmpty(progress) ? undefined : texts.preparing
}
