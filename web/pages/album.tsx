import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { ALBUM_PROGRESS_POLL_MS } from '../../src/contract/limits.ts'
import { PAGES } from '../../src/contract/pages.ts'
import { PasswordGate } from '../features/album/password-gate.tsx'
import { ProgressFailure, ProgressView } from '../features/album/progress-view.tsx'
import { SelfieSearch } from '../features/album/selfie-search.tsx'
import { useProgress } from '../features/album/use-progress.ts'
import { ShareCard } from '../features/share/share-card.tsx'
import { failureText } from '../lib/failure.ts'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SearchIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

export default function AlbumPage() {
  const { albumName } = useParams({ from: '/data/album/$albumName' })
  // Nothing of one album is left when another is opened.
  return <Album key={albumName} albumName={albumName} />
}

function Album({ albumName }: { albumName: string }) {
  const calls = trpc.useUtils()
  const status = trpc.albums.authStatus.useQuery({ albumName })
  // It stays when the session ends and the password is asked for again.
  const [selfie, setSelfie] = useState<File | null>(null)
  const [hasEnded, setHasEnded] = useState(false)
  usePageHead({ ...PAGES.album, title: status.data?.displayName ?? PAGES.album.title })

  const know = (news: Partial<NonNullable<typeof status.data>>) =>
    calls.albums.authStatus.setData({ albumName }, (known) => known && { ...known, ...news })

  if (status.isPending) return <Checking />
  if (status.isError)
    return (
      <Page width="form">
        <CannotOpen why={failureText(status.error)} retry={status.refetch} />
      </Page>
    )
  if (!status.data.albumExists) return <AlbumNotFound />
  if (!status.data.isAuthenticated)
    return (
      <Page width="form">
        <PasswordGate
          albumName={albumName}
          displayName={status.data.displayName ?? albumName}
          hasEnded={hasEnded}
          keepsSelfie={selfie !== null}
          onEntered={() => {
            // Whatever an earlier session was refused is asked again.
            void calls.albums.byName.reset({ albumName })
            void calls.albums.progress.reset()
            know({ isAuthenticated: true })
            // The gate goes, and the button that was pressed with it.
            document.getElementById('content')?.focus({ preventScroll: true })
          }}
        />
      </Page>
    )
  return (
    <OpenAlbum
      albumName={albumName}
      selfie={selfie}
      onSelfieChange={setSelfie}
      onSessionEnded={() => {
        setHasEnded(true)
        know({ isAuthenticated: false })
      }}
      onGone={() => know({ albumExists: false })}
    />
  )
}

interface OpenAlbumProps {
  albumName: string
  selfie: File | null
  onSelfieChange: (selfie: File | null) => void
  onSessionEnded: () => void
  /** There is no such album any longer. */
  onGone: () => void
}

function OpenAlbum({ albumName, selfie, onSelfieChange, onSessionEnded, onGone }: OpenAlbumProps) {
  const found = trpc.albums.byName.useQuery({ albumName })
  const album = found.data?.album
  const { progress, failure, retry } = useProgress(album?.id, ALBUM_PROGRESS_POLL_MS)
  // Once the progress view is shown it stays: it tells of the completion and then reloads the page.
  const [sawProcessing, setSawProcessing] = useState(false)
  if (progress && !progress.isCompleted && !sawProcessing) setSawProcessing(true)

  const code = (found.error ?? failure)?.data?.code
  const leave = useEffectEvent((refusal: typeof code) => {
    if (refusal === 'UNAUTHORIZED') onSessionEnded()
    if (refusal === 'NOT_FOUND') onGone()
  })
  useEffect(() => leave(code), [code])

  if (code === 'UNAUTHORIZED' || code === 'NOT_FOUND') return <Checking />
  if (found.isError)
    return (
      <Page width="form">
        <CannotOpen why={failureText(found.error, 'Album not found')} retry={found.refetch} />
      </Page>
    )
  if (!album) return <Checking />

  return (
    <Page width={sawProcessing ? 'read' : 'page'}>
      <PageHeading
        title={album.displayName}
        subtitle={
          sawProcessing ? 'The album is being prepared.' : 'Drop a selfie to see every photo you are in.'
        }
      />
      {sawProcessing ? (
        <ProgressView albumId={album.id} />
      ) : progress ? (
        <SelfieSearch
          albumName={albumName}
          selfie={selfie}
          onSelfieChange={onSelfieChange}
          onSessionEnded={onSessionEnded}
          aside={
            <ShareCard
              displayName={album.displayName}
              albumName={album.albumName}
              password={album.isOwner ? album.albumPassword : null}
            />
          }
        />
      ) : failure ? (
        <ProgressFailure error={failure} onRetry={retry} />
      ) : (
        <Skeleton className="h-80 rounded-xl" />
      )}
    </Page>
  )
}

function Checking() {
  return (
    <Page width="form">
      <div role="status">
        <h1 className="sr-only">Opening the album</h1>
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
        title="Album Not Found"
        action={
          <Link to="/albums" className={buttonLook('secondary')}>
            Browse Photo Albums
          </Link>
        }
      >
        This album does not exist or has not been processed yet.
      </EmptyState>
    </Page>
  )
}

function CannotOpen({ why, retry }: { why: string; retry: () => unknown }) {
  return (
    <Notice tone="error" title="The album could not be opened">
      <p>{why}</p>
      <Button look="secondary" className="mt-4" onClick={() => retry()}>
        Try again
      </Button>
    </Notice>
  )
}
