import { Link, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { common, pageTitles, album as texts } from '../../src/texts/english.ts'
import { forgetKeptAlert } from '../features/album/kept-alert.ts'
import { Opening } from '../features/album/opening.tsx'
import { forgetRemembered } from '../features/album/remembered-ticket.ts'
import { useLetterLink } from '../features/album/use-letter-link.ts'
import { useVisit } from '../features/album/use-visit.ts'
import { failureText } from '../lib/failure.ts'
import { focusContent } from '../lib/focus.ts'
import { Later, onDemand, orNothing } from '../lib/on-demand.ts'
import { usePageHead } from '../lib/page-head.ts'
import { useOfflineApp } from '../lib/use-offline-app.ts'
import { Button } from '../ui/button.tsx'
import { buttonLook } from '../ui/button-look.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { AlertIcon } from '../ui/icons.tsx'
import { SearchIcon } from '../ui/more-icons.tsx'
import { Page } from '../ui/page.tsx'

/** The server knows which of the two the visitor will see, and names its code in the page's head. */
const PasswordGate = onDemand(() => import('../features/album/password-gate.tsx'))
const OpenAlbum = onDemand(() => import('../features/album/open-album.tsx'))
const ShareCard = onDemand(() => import('../features/share/share-card.tsx').catch(orNothing))

export default function AlbumPage() {
  const { albumName } = useParams({ from: '/data/album/$albumName' })
  useLetterLink()
  // Another album starts with a fresh state.
  return <Album key={albumName} albumName={albumName} />
}

function Album({ albumName }: { albumName: string }) {
  const { visit, displayName, savedAlbum, enter, endSession, markErased } = useVisit(albumName)
  // They are kept when the session ends and the page asks for the password again.
  const [selfies, setSelfies] = useState<readonly File[]>([])
  const [hasEnded, setHasEnded] = useState(false)
  useOfflineApp(visit.step !== 'checking')
  const isGone = visit.step === 'not-found'
  useEffect(() => {
    if (!isGone) return
    forgetRemembered(albumName)
    forgetKeptAlert(albumName)
  }, [isGone, albumName])
  usePageHead(PAGES.album, displayName ?? pageTitles.album)

  switch (visit.step) {
    case 'checking':
      return <Opening />
    case 'failed':
      return <CannotOpen why={failureText(visit.error, texts.notFoundReason)} retry={visit.retry} />
    case 'not-found':
      return <AlbumNotFound />
    case 'locked':
      return (
        <Suspense fallback={<Opening />}>
          <Page width="form">
            <PasswordGate
              albumName={albumName}
              displayName={visit.displayName}
              hasEnded={hasEnded}
              isKeyRefused={visit.isKeyRefused}
              keepsSelfie={selfies.length > 0}
              next={OpenAlbum}
              onEntered={() => {
                enter()
                focusContent()
              }}
            />
          </Page>
        </Suspense>
      )
    case 'open':
      return (
        <Suspense fallback={<Opening />}>
          <OpenAlbum
            {...visit}
            savedAlbum={savedAlbum}
            aside={
              <Later>
                <ShareCard
                  displayName={visit.album.displayName}
                  albumName={visit.album.albumName}
                  password={visit.album.albumPassword}
                  showsPassword={visit.album.isOwner}
                />
              </Later>
            }
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
        </Suspense>
      )
  }
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
