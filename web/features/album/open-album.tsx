import { useSearch } from '@tanstack/react-router'
import { Activity, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { AlbumVisit } from '../../../src/contract/album-visits.ts'
import type { Progress } from '../../../src/contract/albums.ts'
import { album as texts } from '../../../src/texts/english/album.ts'
import { focusContent } from '../../lib/focus.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { Button } from '../../ui/button.tsx'
import { Page, PageHeading } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BrowseLink } from './browse-link.tsx'
import type { KeptKey } from './keep-key.ts'
import { readKeptSearch } from './kept-search.ts'
import type { KeptVisit } from './kept-visit.ts'
import { ofLaterRound, photosWait } from './later-round.ts'
import NothingUploaded from './nothing-uploaded.tsx'
import { Opening } from './opening.tsx'
import OwnerLetters from './owner-letters.tsx'
import OwnerName from './owner-name.tsx'
import OwnerPhotos from './owner-photos.tsx'
import ProgressView from './progress-view.tsx'
import { readRemembered } from './remembered-token.ts'
import SelfieSearch from './selfie-search.tsx'
import { isEmpty } from './steps.ts'
import { useProgress } from './use-progress.ts'

const BrowsePhotos = lazyPart(() => import('./browse-photos.tsx'))

export interface OpenAlbumProps {
  album: NonNullable<AlbumVisit['album']>
  /** As of the page's first call. */
  progress: Progress
  keptKey: KeptKey
  /** What is beside the search. */
  aside: ReactNode
  /** What is below everything else. */
  logOut: ReactNode
  kept: KeptVisit
  selfies: readonly File[]
  onSelfiesChange: (selfies: readonly File[]) => void
  onSessionEnded: () => void
  /** The album has been erased. */
  onGone: () => void
}

/** The album of a visitor who has entered. */
export default function OpenAlbum(props: OpenAlbumProps) {
  const { album, keptKey, aside, logOut, kept, selfies, onSelfiesChange, onSessionEnded, onGone } = props
  // The organiser comes to see what has become of the photos they added. Guests come to search.
  const [watchesRound] = useState(album.isOwner && photosWait(props.progress))
  const polled = useProgress(album.id, props.progress, watchesRound)
  const { failure, retry } = polled
  const progress = watchesRound ? ofLaterRound(polled.progress) : polled.progress
  // The progress view stays once it is shown: it announces the completion and then reloads the page.
  const [sawProcessing] = useState(!progress.isCompleted)
  // A visitor who is remembered, is back, or has searched in this tab, sees their photos at once.
  const [searchesEarly, setSearchesEarly] = useState(
    () =>
      progress.photosIndexedToRekognition > 0 &&
      (kept.found !== null ||
        readRemembered(album.albumName) !== null ||
        readKeptSearch(album.albumName) !== null),
  )
  useScrollBack(kept)
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
  if (code === 'UNAUTHORIZED' || code === 'NOT_FOUND') return <Opening />

  const browseLink = album.browsing === 'on' && <BrowseLink albumName={album.albumName} />
  return (
    <Page width={seesProgress && !isBrowsing ? 'read' : 'page'}>
      <PageHeading
        title={album.displayName}
        subtitle={isBrowsing ? undefined : subtitleOf(progress, seesProgress)}
      />
      {isBrowsing && (
        <Suspense fallback={<Skeleton className="h-80 rounded-xl" />}>
          <BrowsePhotos album={album} kept={kept.all} onSessionEnded={onSessionEnded} onGone={onGone} />
        </Suspense>
      )}
      <Activity mode={isBrowsing ? 'hidden' : 'visible'}>
        {seesProgress ? (
          <ProgressView
            progress={progress}
            failure={failure}
            onRetry={retry}
            onSearch={() => show({ search: true })}
            whenEmpty={<NothingUploaded album={album} keptKey={keptKey} />}
          />
        ) : (
          <SelfieSearch
            albumName={album.albumName}
            progress={progress}
            selfies={selfies}
            onSelfiesChange={onSelfiesChange}
            onSessionEnded={onSessionEnded}
            onGone={onGone}
            kept={kept}
            asksForTick={album.consentTick === 'on'}
            instead={browseLink}
            aside={aside}
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
      {album.isOwner && !isEmpty(progress) && (
        <OwnerPhotos album={album} keptKey={keptKey} isBrowsing={isBrowsing} />
      )}
      {album.isOwner && !isBrowsing && <OwnerName album={album} />}
      {album.isOwner && <OwnerLetters albumId={album.id} />}
      {logOut}
    </Page>
  )
}

/** Scrolls to where the visitor was. The grid has its height when it has been drawn twice. */
function useScrollBack(kept: KeptVisit): void {
  useEffect(() => {
    const { top } = kept
    kept.top = 0
    if (top === 0) return
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => window.scrollTo({ top, behavior: 'instant' }))
    })
    return () => cancelAnimationFrame(frame)
  }, [kept])
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
