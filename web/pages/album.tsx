import { Link, useParams, useSearch } from '@tanstack/react-router'
import { Activity, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { AlbumVisit } from '../../src/contract/album-visits.ts'
import type { Progress } from '../../src/contract/albums.ts'
import { PAGES } from '../../src/contract/pages.ts'
import { common, pageTitles, album as texts } from '../../src/texts/english.ts'
import { BrowseLink } from '../features/album/browse-link.tsx'
import { BrowsePhotos } from '../features/album/browse-photos.tsx'
import { forgetKeptAlert } from '../features/album/kept-alert.ts'
import { LogOut } from '../features/album/log-out.tsx'
import { NothingUploaded } from '../features/album/nothing-uploaded.tsx'
import { PasswordGate } from '../features/album/password-gate.tsx'
import { ProgressView } from '../features/album/progress-view.tsx'
import { forgetRemembered, readRemembered } from '../features/album/remembered-ticket.ts'
import { SelfieSearch } from '../features/album/selfie-search.tsx'
import { isEmpty } from '../features/album/steps.ts'
import { useLetterLink } from '../features/album/use-letter-link.ts'
import { useProgress } from '../features/album/use-progress.ts'
import { type SavedAlbum, useVisit } from '../features/album/use-visit.ts'
import { ShareCard } from '../features/share/share-card.tsx'
import { failureText } from '../lib/failure.ts'
import { focusContent } from '../lib/focus.ts'
import { usePageHead } from '../lib/page-head.ts'
import { useOfflineApp } from '../lib/use-offline-app.ts'
import { Button } from '../ui/button.tsx'
import { buttonLook } from '../ui/button-look.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { AlertIcon } from '../ui/icons.tsx'
import { SearchIcon } from '../ui/more-icons.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

export default function AlbumPage() {
  const { albumName } = useParams({ from: '/data/album/$albumName' })
  useLetterLink()
  useOfflineApp()
  // Another album starts with a fresh state.
  return <Album key={albumName} albumName={albumName} />
}

function Album({ albumName }: { albumName: string }) {
  const { visit, displayName, savedAlbum, enter, endSession, markErased } = useVisit(albumName)
  // They are kept when the session ends and the page asks for the password again.
  const [selfies, setSelfies] = useState<readonly File[]>([])
  const [hasEnded, setHasEnded] = useState(false)
  const isGone = visit.step === 'not-found'
  useEffect(() => {
    if (!isGone) return
    forgetRemembered(albumName)
    forgetKeptAlert(albumName)
  }, [isGone, albumName])
  usePageHead(PAGES.album, displayName ?? pageTitles.album)

  switch (visit.step) {
    case 'checking':
      return <Checking />
    case 'failed':
      return <CannotOpen why={failureText(visit.error, texts.notFoundReason)} retry={visit.retry} />
    case 'not-found':
      return <AlbumNotFound />
    case 'locked':
      return (
        <Page width="form">
          <PasswordGate
            albumName={albumName}
            displayName={visit.displayName}
            hasEnded={hasEnded}
            isKeyRefused={visit.isKeyRefused}
            keepsSelfie={selfies.length > 0}
            onEntered={() => {
              enter()
              focusContent()
            }}
          />
        </Page>
      )
    case 'open':
      return (
        <OpenAlbum
          {...visit}
          savedAlbum={savedAlbum}
          selfies={selfies}
          onSelfiesChange={setSelfies}
          onSessionEnded={() => {
            setHasEnded(true)
            endSession()
          }}
          onLoggedOut={() => {
            forgetRemembered(albumName)
            forgetKeptAlert(albumName)
            setSelfies([])
            endSession()
            focusContent()
          }}
          onGone={markErased}
        />
      )
  }
}

interface OpenAlbumProps {
  album: NonNullable<AlbumVisit['album']>
  /** As of the page's first call. */
  progress: Progress
  savedAlbum: SavedAlbum
  selfies: readonly File[]
  onSelfiesChange: (selfies: readonly File[]) => void
  onSessionEnded: () => void
  onLoggedOut: () => void
  /** The album has been erased. */
  onGone: () => void
}

function OpenAlbum(props: OpenAlbumProps) {
  const { album, savedAlbum, selfies, onSelfiesChange, onSessionEnded, onLoggedOut, onGone } = props
  const { progress, failure, retry } = useProgress(album.id, props.progress)
  // The progress view stays once it is shown: it announces the completion and then reloads the page.
  const [sawProcessing] = useState(!progress.isCompleted)
  // A remembered visitor sees their photos at once.
  const [searchesEarly, setSearchesEarly] = useState(
    () => progress.photosIndexedToRekognition > 0 && readRemembered(album.albumName) !== null,
  )
  const seesProgress = sawProcessing && !searchesEarly
  const isBrowsing = useIsBrowsing()

  function show({ search }: { search: boolean }) {
    setSearchesEarly(search)
    focusContent()
  }

  const code = failure?.data?.code
  const leave = useEffectEvent((refusal: typeof code) => {
    if (refusal === 'UNAUTHORIZED') onSessionEnded()
    if (refusal === 'NOT_FOUND') onGone()
  })
  useEffect(() => leave(code), [code])
  if (code === 'UNAUTHORIZED' || code === 'NOT_FOUND') return <Checking />

  const browseLink = album.browsing === 'on' && <BrowseLink albumName={album.albumName} />
  return (
    <Page width={seesProgress && !isBrowsing ? 'read' : 'page'}>
      <PageHeading
        title={album.displayName}
        subtitle={isBrowsing ? undefined : subtitleOf(progress, seesProgress)}
      />
      {isBrowsing && (
        <BrowsePhotos albumName={album.albumName} onSessionEnded={onSessionEnded} onGone={onGone} />
      )}
      <Activity mode={isBrowsing ? 'hidden' : 'visible'}>
        {seesProgress ? (
          <ProgressView
            progress={progress}
            failure={failure}
            onRetry={retry}
            onSearch={() => show({ search: true })}
            whenEmpty={<NothingUploaded isOwner={album.isOwner} savedAlbum={savedAlbum} />}
          />
        ) : (
          <SelfieSearch
            albumName={album.albumName}
            progress={progress}
            selfies={selfies}
            onSelfiesChange={onSelfiesChange}
            onSessionEnded={onSessionEnded}
            onGone={onGone}
            asksForTick={album.consentTick === 'on'}
            instead={browseLink}
            aside={
              <ShareCard
                displayName={album.displayName}
                albumName={album.albumName}
                password={album.albumPassword}
                showsPassword={album.isOwner}
              />
            }
          />
        )}
        {seesProgress && progress.photosIndexedToRekognition > 0 && <div className="mt-6">{browseLink}</div>}
        {searchesEarly && !progress.isCompleted && (
          <p className="mt-6 text-center">
            <Button look="quiet" onClick={() => show({ search: false })}>
              {texts.backToProgress}
            </Button>
          </p>
        )}
      </Activity>
      <LogOut album={album} onLoggedOut={onLoggedOut} />
    </Page>
  )
}

/** Whether the address asks for all photos. When it changes, the focus moves to the new content. */
function useIsBrowsing(): boolean {
  const isBrowsing = useSearch({ from: '/data/album/$albumName' }).photos === 'all'
  const former = useRef(isBrowsing)
  useEffect(() => {
    if (former.current !== isBrowsing) focusContent()
    former.current = isBrowsing
  }, [isBrowsing])
  return isBrowsing
}

function subtitleOf(progress: Progress, isProcessing: boolean): string | undefined {
  if (!isProcessing) return texts.dropSelfie
  return isEmpty(progress) ? undefined : texts.preparing
}

function Checking() {
  return (
    <Page width="form">
      <div role="status">
        <h1 className="sr-only">{texts.opening}</h1>
        <Skeleton className="mx-auto mb-4 h-10 w-3/4" />
        <Skeleton className="h-80 rounded-xl" />
      </div>
    </Page>
  )
}

function AlbumNotFound() {
  return (
    <Page>
      <EmptyState
        icon={<SearchIcon className="size-10" />}
        level={1}
        title={texts.notFound}
        action={
          <Link to="/albums" className={buttonLook('secondary')}>
            {texts.browseAlbums}
          </Link>
        }
      >
        {texts.notFoundText}
      </EmptyState>
    </Page>
  )
}

function CannotOpen({ why, retry }: { why: string; retry: () => unknown }) {
  return (
    <Page>
      <div role="alert">
        <EmptyState
          icon={<AlertIcon className="size-10" />}
          level={1}
          title={texts.notOpened}
          action={<Button onClick={() => retry()}>{common.tryAgain}</Button>}
        >
          {why}
        </EmptyState>
      </div>
    </Page>
  )
}
