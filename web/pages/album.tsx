import { useParams, useSearch } from '@tanstack/react-router'
import { Activity, Suspense, useState } from 'react'
import { album as texts } from '../../src/texts/english/album.ts'
import { pageTitles } from '../../src/texts/english/page-titles.ts'
import { useVisit, type Visit } from '../features/album/session/use-visit.ts'
import { SCANNED_PASSWORD } from '../lib/album-address.ts'
import { focusContent } from '../lib/focus.ts'
import { Later, lazyPart, orNothing, Preload } from '../lib/lazy-part.ts'
import { tellLoggedOut } from '../lib/log-out-news.ts'
import { useTabTitle } from '../lib/page-head.ts'
import { forgetGuest } from '../lib/persisted.ts'
import { hasEntered } from '../lib/site-settings.ts'
import { useFragment } from '../lib/use-fragment.ts'
import { useOfflineApp } from '../lib/use-offline-app.ts'
import { trpc } from '../trpc.ts'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const NotOpen = lazyPart(() => import('../features/album/session/not-open.tsx'))
const Accented = lazyPart(() => import('../ui/accented.tsx'))
const PasswordGate = lazyPart(() => import('../features/album/session/password-gate.tsx'))
const OpenAlbum = lazyPart(() => import('../features/album/session/open-album.tsx'))
const GuestBar = lazyPart(() => import('../features/album/session/guest-bar.tsx').catch(orNothing))

export default function AlbumPage() {
  const { albumName } = useParams({ from: '/data/album/$albumName' })
  const { mutate } = trpc.letters.confirm.useMutation()
  // An album that is opened through the link of a letter has a token behind the `#`. The service learns by it that the letter reached
  // somebody who wants it. If the call fails, the visitor loses nothing, and the next visit through the letter repeats it.
  useFragment('letter', (token) => mutate({ token }))
  // Another album starts with a fresh state.
  return <Album key={albumName} albumName={albumName} />
}

/** The visitor has lost their access. `visit`: what they saw stays as it is behind the gate, unless they have logged out. */
interface Ended {
  visit?: Extract<Visit, { step: 'open' }>
}

function Album({ albumName }: { albumName: string }) {
  const { as } = useSearch({ from: '/data/album/$albumName' })
  const [ended, setEnded] = useState<Ended | null>(null)
  const { visit, displayName, accent, refresh, endSession } = useVisit(albumName, {
    as,
    onLeft() {
      // Another person may use this browser next.
      forgetGuest(albumName)
      setEnded({})
    },
  })
  const [code, setCode] = useState<string>()
  useFragment(SCANNED_PASSWORD, setCode)
  // Who is in needs no code. After they have left, it must not bring them back.
  if (visit.step === 'open' && code !== undefined) setCode(undefined)
  const open = visit.step === 'open' ? visit : ended?.visit
  useOfflineApp(visit.step !== 'checking')
  useTabTitle(displayName ?? pageTitles.album)
  // The code of what the visitor will probably see comes beside the first call.
  useState(() => (hasEntered() ? OpenAlbum : PasswordGate).preload?.())

  const parts = (
    <>
      <Suspense fallback={<Opening />}>
        {visit.step === 'checking' && <Opening />}
        {(visit.step === 'failed' || visit.step === 'not-found' || visit.step === 'shut') && (
          <NotOpen visit={visit} />
        )}
        {visit.step === 'locked' && (
          <Page width="form">
            <PasswordGate
              albumName={albumName}
              displayName={visit.displayName}
              hasEnded={ended !== null}
              isKeyRefused={visit.isKeyRefused}
              code={code}
              onEntered={() => {
                focusContent()
                return refresh()
              }}
            />
            <Preload part={OpenAlbum} />
          </Page>
        )}
      </Suspense>
      {open && (
        <Activity mode={visit.step === 'open' ? 'visible' : 'hidden'}>
          <Suspense fallback={<Opening />}>
            <OpenAlbum
              album={open.album}
              progress={open.progress}
              onLoggedOut={() => {
                tellLoggedOut(albumName)
                forgetGuest(albumName)
                setEnded(null)
                endSession()
                focusContent()
              }}
              onSessionEnded={() => {
                setEnded({ visit: open })
                endSession()
              }}
              onGone={refresh}
            />
          </Suspense>
        </Activity>
      )}
      <Later>{as && <GuestBar albumName={albumName} />}</Later>
    </>
  )
  if (!accent) return parts
  return (
    <Suspense fallback={<Opening />}>
      <Accented accent={accent}>{parts}</Accented>
    </Suspense>
  )
}

/** Shown until it is known what the visitor of an album may see. */
function Opening() {
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
