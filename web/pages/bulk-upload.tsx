import { Navigate, useBlocker, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { UPLOAD_REDIRECT_DELAY_MS } from '../../src/contract/limits.ts'
import { addToSelection } from '../features/upload/accept-photos.ts'
import { PhotoPicker } from '../features/upload/photo-picker.tsx'
import { PreviewGrid } from '../features/upload/preview-grid.tsx'
import { notStored, UploadOutcome } from '../features/upload/upload-outcome.tsx'
import { UploadProgressCard } from '../features/upload/upload-progress.tsx'
import { useBulkUpload } from '../features/upload/use-bulk-upload.ts'
import { countOf } from '../lib/format.ts'
import { usePageHead } from '../lib/page-head.ts'
import { type Organiser, readOrganiser, saveUploadRecord } from '../lib/saved-values.ts'
import { Button } from '../ui/button.tsx'
import { Page, PageHeading } from '../ui/page.tsx'

const LEAVING = 'Photos are still being uploaded. Leave this page and stop the upload?'

export function BulkUploadPage() {
  usePageHead('Upload photos', { hidden: true })
  const [organiser] = useState(readOrganiser)
  return organiser ? <BulkUpload organiser={organiser} /> : <Navigate to="/get-started" replace />
}

function BulkUpload({ organiser }: { organiser: Organiser }) {
  const [photos, setPhotos] = useState<File[]>([])
  const { state, start, reset } = useBulkUpload(organiser.userAlbumId)
  const navigate = useNavigate()
  const busy = state.phase === 'uploading'
  const idle = state.phase === 'idle' || state.phase === 'error'

  useBlocker({
    disabled: !busy,
    enableBeforeUnload: busy,
    shouldBlockFn: () => !window.confirm(LEAVING),
  })

  useEffect(() => {
    if (state.phase !== 'success') return
    saveUploadRecord({
      photoCount: state.result.successful,
      email: organiser.userEmail,
      albumName: organiser.eventName,
      notStored: notStored(state.result.files),
    })
    const timer = setTimeout(
      () => void navigate({ to: '/upload-success', replace: true }),
      UPLOAD_REDIRECT_DELAY_MS,
    )
    return () => clearTimeout(timer)
  }, [state, organiser, navigate])

  function select(next: File[]) {
    setPhotos(next)
    reset()
  }

  return (
    <Page width="work">
      <PageHeading
        title="Upload photos"
        subtitle={
          <>
            Album: <strong className="font-semibold text-ink">{organiser.eventName}</strong>
          </>
        }
      />
      <div className="space-y-6">
        {idle && <PhotoPicker disabled={false} onPick={(added) => select(addToSelection(photos, added))} />}
        {photos.length > 0 && (
          <PreviewGrid
            photos={photos}
            busy={!idle}
            onRemove={(photo) => select(photos.filter((other) => other !== photo))}
            onClear={() => select([])}
          />
        )}
        {state.phase === 'uploading' || state.phase === 'success' ? (
          <UploadProgressCard progress={state.progress} />
        ) : null}
        <UploadOutcome state={state} />
        {state.phase !== 'success' && (
          <div className="sticky bottom-0 -mx-4 bg-linear-to-t from-paper from-70% to-transparent px-4 pt-6 pb-4 sm:static sm:m-0 sm:bg-none sm:p-0">
            <Button size="lg" className="w-full" busy={busy} disabled={!idle} onClick={() => start(photos)}>
              {busy ? 'Uploading...' : `Upload ${countOf(photos.length, 'Photo')}`}
            </Button>
          </div>
        )}
      </div>
    </Page>
  )
}
