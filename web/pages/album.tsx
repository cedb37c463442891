import { useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { album as texts } from '../../src/texts/english/album.ts'
import { pageTitles } from '../../src/texts/english/common.ts'
import { common } from '../../src/texts/english/site.ts'
import AlbumNotFound from '../features/album/album-not-found.tsx'
import { forgetKeptAlert } from '../features/album/kept-alert.ts'
import { forgetKeptSearch } from '../features/album/kept-search.ts'
import { newKeptVisit } from '../features/album/kept-visit.ts'
import LogOut from '../features/album/log-out.tsx'
import { Opening } from '../features/album/opening.tsx'
import PasswordGate from '../features/album/password-gate.tsx'
import { forgetRemembered } from '../features/album/remembered-token.ts'
import { useLetterLink } from '../features/album/use-letter-link.ts'
import { useVisit, type Visit } from '../features/album/use-visit.ts'
import ShareCard from '../features/share/share-card.tsx'
import { failureText } from '../lib/failure.ts'
import { focusContent } from '../lib/focus.ts'
import { lazyPart } from '../lib/lazy-part.ts'
import { onLoggedOutElsewhere, tellLoggedOut } from '../lib/log-out-news.ts'
import { usePageHead } from '../lib/page-head.ts'
import { useOfflineApp } from '../lib/use-offline-app.ts'
import { whenIdle } from '../lib/when-idle.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { AlertIcon } from '../ui/icons.tsx'
import { Page } from '../ui/page.tsx'

/** Its code is loaded while the visitor enters the password. */
const OpenAlbum = lazyPart(() => import('../features/album/open-album.tsx'))

export default function AlbumPage() {
  const { albumName } = useParams({ from: '/data/album/$albumName' })
  useLetterLink()
  // Another album starts with a fresh state.
  return <Album key={albumName} albumName={albumName} />
}

function Album({ albumName }: { albumName: string }) {
  const { visit, displayName, keptKey, enter, endSession, markErased } = useVisit(albumName)
  // They are kept when the session ends and the page asks for the password again.
  const [selfies, setSelfies] = useState<readonly File[]>([])
  const [hasEnded, setHasEnded] = useState(false)
  const [kept, setKept] = useState(newKeptVisit)
  useOfflineApp(visit.step !== 'checking')
  const isGone = visit.step === 'not-found'
  useEffect(() => {
    if (!isGone) return
    forgetRemembered(albumName)
    forgetKeptAlert(albumName)
    forgetKeptSearch(albumName)
  }, [isGone, albumName])
  /** Another person may use this browser next. */
  function forget() {
    forgetRemembered(albumName)
    forgetKeptAlert(albumName)
    forgetKeptSearch(albumName)
    setSelfies([])
    setKept(newKeptVisit())
  }
  const leave = useEffectEvent(() => {
    forget()
    if (visit.step !== 'open') return
    setHasEnded(true)
    endSession({ triesKey: false })
  })
  useEffect(() => onLoggedOutElsewhere(albumName, () => leave()), [albumName])
  const isLocked = visit.step === 'locked'
  useEffect(() => (isLocked ? whenIdle(() => OpenAlbum.preload?.()) : undefined), [isLocked])
  usePageHead(PAGES.album, displayName ?? pageTitles.album)

  switch (visit.step) {
    case 'checking':
      return <Opening />
    case 'failed':
      return <CannotOpen {...visit} />
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
        <Suspense fallback={<Opening />}>
          <OpenAlbum
            {...visit}
            keptKey={keptKey}
            aside={
              <ShareCard
                displayName={visit.album.displayName}
                albumName={visit.album.albumName}
                password={visit.album.albumPassword}
                showsPassword={visit.album.isOwner}
              />
            }
            logOut={
              <LogOut
                album={visit.album}
                onLoggedOut={() => {
                  tellLoggedOut(albumName)
                  forget()
                  endSession()
                  focusContent()
                }}
              />
            }
            kept={kept}
            selfies={selfies}
            onSelfiesChange={setSelfies}
            onSessionEnded={() => {
              kept.hasEnded = true
              kept.top = window.scrollY
              setHasEnded(true)
              endSession()
            }}
            onGone={markErased}
          />
        </Suspense>
      )
  }
}

/** A page that was opened without a network comes back by itself. */
function CannotOpen({ error, retry }: Extract<Visit, { step: 'failed' }>) {
  useEffect(() => {
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [retry])
  return (
    <Page>
      <div role="alert">
        <EmptyState
          icon={<AlertIcon className="size-10" />}
          level={1}
          title={texts.notOpened}
          action={<Button onClick={() => retry()}>{common.tryAgain}</Button>}
        >
          {failureText(error, texts.notFoundReason)}
        </EmptyState>
      </div>
    </Page>
  )
}
