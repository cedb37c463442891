import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { bulkUpload as texts, upload } from '../../src/texts/english/upload.ts'
import { namedAlbumOfSession } from '../features/own-albums/album-of-session.ts'
import { openUploadHistory, type UploadHistory } from '../features/own-albums/upload-history.ts'
import { BlockedFiles } from '../features/upload/blocked-files.tsx'
import { eachOnce } from '../features/upload/files.ts'
import { LettersTo } from '../features/upload/letters-to.tsx'
import { PhotoPicker } from '../features/upload/photo-picker.tsx'
import { PreviewGrid } from '../features/upload/preview-grid.tsx'
import { UploadOutcome, UploadProgressCard } from '../features/upload/upload-progress.tsx'
import { useUpload } from '../features/upload/use-upload.ts'
import { WhileSending } from '../features/upload/while-sending.tsx'
import { focusContent } from '../lib/focus.ts'
import { keepAlbum } from '../lib/keep-albums.ts'
import { readOrganiser } from '../lib/own-albums.ts'
import type { Organiser } from '../lib/persisted.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'

export default function BulkUploadPage() {
  const named = useSearch({ from: '/data/bulk-upload' }).album
  // Going on to the next page empties the state before this page is gone.
  const [created] = useState(useLocation({ select: ({ state }) => state.album }))
  /** Without a name it is the album in hand. */
  const albumName = named ?? created
  const { client } = trpc.useUtils()
  const { data: own, isLoading } = useQuery({
    queryKey: ['upload to', albumName],
    gcTime: 0,
    async queryFn() {
      const saved = readOrganiser(albumName)
      // The browser may have lost what it has saved, and not the session.
      const organiser =
        saved ?? (albumName === undefined ? null : await namedAlbumOfSession(client, albumName))
      if (!organiser) return null
      keepAlbum(organiser)
      return { organiser, history: await openUploadHistory(organiser.userAlbumId) }
    },
  })
  if (isLoading) return null
  return own ? (
    <BulkUpload key={own.organiser.userAlbumId} {...own} />
  ) : (
    <Navigate to="/get-started" state={{ cameFrom: 'bulk-upload' }} replace />
  )
}

function BulkUpload({ organiser, history }: { organiser: Organiser; history: UploadHistory }) {
  const { state, dispatch, onAlbum, start, stop } = useUpload(organiser, history)
  const { photos, blocked } = state
  const busy = state.phase === 'uploading'
  const albumLost = state.phase === 'error' && state.ended?.stopped?.reason === 'lost'
  const idle = (state.phase === 'idle' || state.phase === 'error') && !albumLost

  const known = idle ? photos.filter(history.has).length : 0
  const missing = photos.length - known
  const interrupted = state.phase === 'idle' && photos.length === 0 ? history.interrupted() : null

  /** Does what removes the control that has the focus. */
  function andFocus(action: () => void) {
    action()
    focusContent()
  }

  return (
    <Page width="work">
      <PageHeading
        title={texts.title}
        subtitle={
          <Sentence
            of={texts.album(<strong className="font-semibold text-ink">{organiser.eventName}</strong>)}
          />
        }
      />
      <LettersTo organiser={organiser} onAlbum={onAlbum} canChange={idle} />
      <WhileSending busy={busy} />
      <div className="space-y-6">
        {interrupted && (
          <Notice title={upload.lastStopped(interrupted.done, interrupted.total)}>
            {upload.lastStoppedText}
          </Notice>
        )}
        {idle && (
          <PhotoPicker
            history={history}
            onPick={(added) => dispatch({ type: 'chosen', photos: added })}
            onBlocked={(files) => dispatch({ type: 'blocked', files })}
          />
        )}
        {busy && state.transfer.photosTotal > 0 && (
          <UploadProgressCard {...state} onStop={() => andFocus(stop)} />
        )}
        {idle && (
          <BlockedFiles
            files={blocked}
            onShrink={(large) => void start(eachOnce([...photos, ...large]))}
            onDismiss={() => andFocus(() => dispatch({ type: 'blocked dismissed' }))}
          />
        )}
        {(state.phase === 'success' || state.phase === 'error') && <UploadOutcome {...state} />}
        {photos.length > 0 && !albumLost && (
          <PreviewGrid
            photos={photos}
            busy={!idle}
            onRemove={(photo) => dispatch({ type: 'removed', photos: [photo] })}
            onClear={() => andFocus(() => dispatch({ type: 'removed', photos }))}
          />
        )}
        {known > 0 && (
          <Notice>
            {missing === 0 ? upload.uploadedBefore(known) : upload.partlyUploadedBefore(known, photos.length)}
          </Notice>
        )}
        {state.phase !== 'success' && !albumLost && (
          <div className="sticky bottom-0 -mx-4 bg-[linear-gradient(to_top,var(--color-paper)_70%,transparent)] px-4 pt-6 pb-4 sm:static sm:m-0 sm:bg-none sm:p-0">
            <Button
              size="lg"
              className="w-full"
              busy={busy}
              disabled={!idle}
              onClick={() => void start(photos)}
            >
              {busy ? texts.uploading : missing === 0 && known > 0 ? texts.goOn : texts.upload(missing)}
            </Button>
          </div>
        )}
      </div>
    </Page>
  )
}
