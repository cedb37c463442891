import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ALBUM_PROGRESS_POLL_MS } from '../../src/contract/limits.ts'
import { PasswordGate } from '../features/album/password-gate.tsx'
import { ProgressView } from '../features/album/progress-view.tsx'
import { SelfieSearch } from '../features/album/selfie-search.tsx'
import { ShareCard } from '../features/share/share-card.tsx'
import { usePageHead } from '../lib/page-head.ts'
import { errorText, isUnauthorized, serverMessage, trpc } from '../trpc.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SearchIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

export function AlbumPage() {
  const { albumName } = useParams({ from: '/data/album/$albumName' })
  const calls = trpc.useUtils()
  const status = trpc.albums.authStatus.useQuery({ albumName })
  usePageHead(status.data?.displayName ?? 'Album', { hidden: true })

  const setAuthenticated = (isAuthenticated: boolean) =>
    calls.albums.authStatus.setData({ albumName }, (known) => known && { ...known, isAuthenticated })

  if (status.isPending) return <Checking />
  if (status.isError)
    return (
      <Page width="form">
        <Trouble
          title="The album could not be opened"
          message={errorText(status.error)}
          retry={status.refetch}
        />
      </Page>
    )
  if (!status.data.albumExists) return <AlbumNotFound />
  if (!status.data.isAuthenticated)
    return (
      <Page width="form">
        <PasswordGate
          albumName={albumName}
          displayName={status.data.displayName ?? albumName}
          onEntered={() => {
            // Whatever an earlier session was refused is asked again.
            void calls.albums.byName.reset({ albumName })
            setAuthenticated(true)
          }}
        />
      </Page>
    )
  return <OpenAlbum albumName={albumName} onSessionEnded={() => setAuthenticated(false)} />
}

interface OpenAlbumProps {
  albumName: string
  onSessionEnded: () => void
}

function OpenAlbum({ albumName, onSessionEnded }: OpenAlbumProps) {
  const found = trpc.albums.byName.useQuery({ albumName })
  const album = found.data?.album
  const progress = trpc.albums.progress.useQuery(
    { id: album?.id ?? '' },
    {
      enabled: album !== undefined,
      refetchInterval: ({ state }) => (state.data?.isCompleted ? false : ALBUM_PROGRESS_POLL_MS),
    },
  )
  // Once the progress view is shown it stays: it tells of the completion and then reloads the page.
  const [sawProcessing, setSawProcessing] = useState(false)
  if (progress.data && !progress.data.isCompleted && !sawProcessing) setSawProcessing(true)

  const error = found.error ?? progress.error
  if (error && isUnauthorized(error)) return <SessionEnded onContinue={onSessionEnded} />
  if (found.error?.data?.code === 'NOT_FOUND') return <AlbumNotFound />
  if (found.isError)
    return (
      <Page width="form">
        <Trouble
          title="The album could not be opened"
          message={errorText(found.error)}
          retry={found.refetch}
        />
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
      ) : progress.data ? (
        <SelfieSearch
          albumName={albumName}
          onSessionEnded={onSessionEnded}
          aside={
            <ShareCard
              displayName={album.displayName}
              albumName={album.albumName}
              password={album.albumPassword}
              isOwner={album.isOwner}
            />
          }
        />
      ) : progress.isError ? (
        <Trouble
          title={`Failed to load progress: ${serverMessage(progress.error) ?? 'Failed to fetch progress'}`}
          retry={progress.refetch}
        />
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

function SessionEnded({ onContinue }: { onContinue: () => void }) {
  return (
    <Page width="form">
      <Notice title="Please enter the password again">
        <p>Your access to this album has ended.</p>
        <Button className="mt-4" onClick={onContinue}>
          Enter the password
        </Button>
      </Notice>
    </Page>
  )
}

function Trouble({ title, message, retry }: { title: string; message?: string; retry: () => unknown }) {
  return (
    <Notice tone="error" title={title}>
      {message && <p>{message}</p>}
      <Button look="secondary" className="mt-4" onClick={() => retry()}>
        Try again
      </Button>
    </Notice>
  )
}
