import { Link, Navigate, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { album as albumTexts } from '../../src/texts/english/album.ts'
import { desk as texts } from '../../src/texts/english/desk/desk.ts'
import { pageTitles } from '../../src/texts/english/page-titles.ts'
import { useVisit } from '../features/album/session/use-visit.ts'
import Desk from '../features/desk/desk.tsx'
import { SECTIONS } from '../features/desk/sections.ts'
import { lazyPart } from '../lib/lazy-part.ts'
import { useTabTitle } from '../lib/page-head.ts'
import { buttonLook } from '../ui/button-look.ts'
import { LockIcon } from '../ui/more-icons.tsx'
import { MessagePage, Page } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const NotOpen = lazyPart(() => import('../features/album/session/not-open.tsx'))

/** The desk of an album's organiser. */
export default function ManagePage() {
  const { albumName } = useParams({ from: '/data/manage/$albumName/{-$section}' })
  return <Album key={albumName} albumName={albumName} />
}

function Album({ albumName }: { albumName: string }) {
  const { section: name } = useParams({ from: '/data/manage/$albumName/{-$section}' })
  const { visit, displayName = albumName, endSession, refresh } = useVisit(albumName)
  const section = SECTIONS.find((one) => one.name === name)
  useTabTitle(`${section?.title ?? pageTitles.manage} · ${displayName}`)
  if (name !== undefined && !section)
    return <Navigate to="/manage/$albumName/{-$section}" params={{ albumName }} replace />
  if (visit.step === 'checking')
    return (
      <Page>
        <div role="status">
          <h1 className="sr-only">{albumTexts.opening}</h1>
          <Skeleton className="mb-6 h-10 w-2/3" />
          <Skeleton className="h-80 rounded-xl" />
        </div>
      </Page>
    )
  if (visit.step === 'failed' || visit.step === 'not-found')
    return (
      <Suspense>
        <NotOpen visit={visit} />
      </Suspense>
    )
  if (visit.step === 'locked' || visit.step === 'shut' || !visit.album.isOwner)
    return (
      <MessagePage
        icon={<LockIcon className="size-10" />}
        title={texts.forOrganiser}
        action={
          <>
            <Link to="/album/$albumName" params={{ albumName }} className={buttonLook('secondary')}>
              {texts.openAlbum}
            </Link>
            <Link to="/get-started" className={buttonLook('secondary')}>
              {texts.yourAlbums}
            </Link>
          </>
        }
      >
        <Sentence of={texts.forOrganiserText(<bdi>{displayName}</bdi>)} />
      </MessagePage>
    )
  return (
    <Desk
      album={visit.album}
      progress={visit.progress}
      section={section}
      onSessionEnded={endSession}
      onGone={refresh}
    />
  )
}
