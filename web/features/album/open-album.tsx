import { useSearch } from '@tanstack/react-router'
import { Activity, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { AlbumVisit } from '../../../src/contract/album-visits.ts'
import type { Progress } from '../../../src/contract/albums.ts'
import { album as texts } from '../../../src/texts/english.ts'
import { focusContent } from '../../lib/focus.ts'
import { Later, onDemand, orNothing, usePreload } from '../../lib/on-demand.ts'
import { Button } from '../../ui/button.tsx'
import { Page, PageHeading } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BrowseLink } from './browse-link.tsx'
import { NothingUploaded } from './nothing-uploaded.tsx'
import { Opening } from './opening.tsx'
import { readRemembered } from './remembered-ticket.ts'
import { isEmpty } from './steps.ts'
import { useProgress } from './use-progress.ts'
import type { SavedAlbum } from './use-visit.ts'

/** The visitor first sees the progress or the search. The page's head, which the server writes, names its code. */
const ProgressView = onDemand(() => import('./progress-view.tsx'))
const SelfieSearch = onDemand(() => import('./selfie-search.tsx'))
const BrowsePhotos = onDemand(() => import('./browse-photos.tsx'))
const LogOut = onDemand(() => import('./log-out.tsx').catch(orNothing))

export interface OpenAlbumProps {
  album: NonNullable<AlbumVisit['album']>
  /** As of the page's first call. */
  progress: Progress
  savedAlbum: SavedAlbum
  /** What is beside the search. */
  aside: ReactNode
  selfies: readonly File[]
  onSelfiesChange: (selfies: readonly File[]) => void
  onSessionEnded: () => void
  onLoggedOut: () => void
  /** The album has been erased. */
  onGone: () => void
}

/** The album of a visitor who has entered. */
export default function OpenAlbum(props: OpenAlbumProps) {
  const { album, savedAlbum, aside, selfies, onSelfiesChange, onSessionEnded, onLoggedOut, onGone } = props
  const { progress, failure, retry } = useProgress(album.id, props.progress)
  // The progress view stays once it is shown: it announces the completion and then reloads the page.
  const [sawProcessing] = useState(!progress.isCompleted)
  // A remembered visitor sees their photos at once.
  const [searchesEarly, setSearchesEarly] = useState(
    () => progress.photosIndexedToRekognition > 0 && readRemembered(album.albumName) !== null,
  )
  const seesProgress = sawProcessing && !searchesEarly
  const isBrowsing = useIsBrowsing()
  usePreload([BrowsePhotos], album.browsing === 'on')
  usePreload([SelfieSearch])

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
        <Suspense>
          <BrowsePhotos albumName={album.albumName} onSessionEnded={onSessionEnded} onGone={onGone} />
        </Suspense>
      )}
      <Activity mode={isBrowsing ? 'hidden' : 'visible'}>
        <Suspense fallback={<Skeleton className="h-80 rounded-xl" />}>
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
              aside={aside}
            />
          )}
        </Suspense>
        {seesProgress && progress.photosIndexedToRekognition > 0 && <div className="mt-6">{browseLink}</div>}
        {searchesEarly && !progress.isCompleted && (
          <p className="mt-6 text-center">
            <Button look="quiet" onClick={() => show({ search: false })}>
              {texts.backToProgress}
            </Button>
          </p>
        )}
      </Activity>
      <Later>
        <LogOut album={album} onLoggedOut={onLoggedOut} />
      </Later>
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
