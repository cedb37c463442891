import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { UPLOAD_REDIRECT_DELAY_MS } from '../../src/contract/limits.ts'
import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles, bulkUpload as texts } from '../../src/texts/english.ts'
import { namedAlbumOfSession } from '../features/own-albums/album-of-session.ts'
import { addToBlocked, addToSelection, type BlockedFile } from '../features/upload/accept-photos.ts'
import { BlockedFiles } from '../features/upload/blocked-files.tsx'
import {
  type EndedUpload,
  isAlreadyThere,
  notStored,
  photosInAlbum,
  photosThereBefore,
} from '../features/upload/ended-upload.ts'
import { LeavingGuard } from '../features/upload/leaving-guard.tsx'
import { LettersTo } from '../features/upload/letters-to.tsx'
import { alreadyUploaded, lastUploadStopped } from '../features/upload/messages.ts'
import { PhotoPicker } from '../features/upload/photo-picker.tsx'
import { PreviewGrid } from '../features/upload/preview-grid.tsx'
import { UploadOutcome } from '../features/upload/upload-outcome.tsx'
import { UploadProgressCard } from '../features/upload/upload-progress.tsx'
import { useBulkUpload } from '../features/upload/use-bulk-upload.ts'
import { useWakeLock } from '../features/upload/use-wake-lock.ts'
import { focusContent } from '../lib/focus.ts'
import { usePageHead } from '../lib/page-head.ts'
import { keepAlbum, saveUploadRecord } from '../lib/save-values.ts'
import {
  type NotStored,
  type Organiser,
  readOrganiser,
  savedAlbum,
  type UploadRecord,
} from '../lib/saved-values.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

export default function BulkUploadPage() {
  usePageHead(PAGES.bulkUpload, pageTitles.bulkUpload)
  const named = useSearch({ from: '/data/bulk-upload' }).album
  const created = useLocation({ select: ({ state }) => state.album })
  const albumName = named ?? created
  return <OwnAlbum key={albumName} albumName={albumName} />
}

/** @param albumName the album in hand without it */
function OwnAlbum({ albumName }: { albumName: string | undefined }) {
  const [saved] = useState(() => readOrganiser(albumName))
  const { client } = trpc.useUtils()
  // The browser may have lost what it has saved, and not the session.
  const ofSession = useQuery({
    queryKey: ['albumOfSession', albumName],
    gcTime: 0,
    enabled: saved === null && albumName !== undefined,
    queryFn: () => namedAlbumOfSession(client, albumName!),
  })
  const organiser = saved ?? ofSession.data
  useEffect(() => {
    if (organiser) keepAlbum(organiser)
  }, [organiser])
  if (ofSession.isLoading)
    return (
      <Page width="work">
        <Skeleton className="h-80 rounded-xl" />
      </Page>
    )
  return organiser ? (
    <BulkUpload organiser={organiser} />
  ) : (
    <Navigate to="/get-started" state={{ cameFrom: 'bulk-upload' }} replace />
  )
}

function BulkUpload({ organiser }: { organiser: Organiser }) {
  const [photos, setPhotos] = useState<File[]>([])
  const [blocked, setBlocked] = useState<BlockedFile[]>([])
  const block = useCallback((files: BlockedFile[]) => {
    setBlocked((list) => addToBlocked(list, files))
    const out = new Set(files.map(({ file }) => file))
    setPhotos((chosen) => chosen.filter((photo) => !out.has(photo)))
  }, [])
  const [isOnlyChecking, setIsOnlyChecking] = useState(false)
  const { state, ledger, openedLedger, onAlbum, start, stop, reset } = useBulkUpload(organiser, block)
  const navigate = useNavigate()
  const busy = state.phase === 'uploading'
  useWakeLock(busy)
  const albumLost = state.phase === 'error' && state.ended?.result.stopped?.albumLost === true
  const idle = (state.phase === 'idle' || state.phase === 'error') && !albumLost

  useEffect(() => {
    if (state.phase === 'success') saveUploadRecord(recordOf(state, organiser, blocked))
  }, [state, organiser, blocked])

  useEffect(() => {
    if (state.phase !== 'success') return
    const timer = setTimeout(
      () => void navigate({ to: '/upload-success', replace: true }),
      UPLOAD_REDIRECT_DELAY_MS,
    )
    return () => clearTimeout(timer)
  }, [state, navigate])

  // Photos that can no longer be read are listed with their names. Another try with them would fail again.
  useEffect(() => {
    if (state.phase !== 'error') return
    const gone = new Set(state.ended?.result.unreadable)
    setPhotos((chosen) => chosen.filter((photo) => !gone.has(photo)))
  }, [state])

  const known = idle && ledger ? photos.filter(ledger.has).length : 0
  const missing = photos.length - known
  const sendsNothing = missing === 0 && known > 0
  const interrupted = state.phase === 'idle' && photos.length === 0 ? ledger?.interrupted() : null

  function select(next: File[]) {
    setPhotos(next)
    reset()
  }

  function clear() {
    select([])
    focusContent()
  }

  function dismissBlocked() {
    setBlocked([])
    focusContent()
  }

  function stopUpload() {
    stop()
    focusContent()
  }

  function send() {
    setIsOnlyChecking(sendsNothing)
    void start(photos)
  }

  function shrinkAndUpload(large: File[]) {
    const all = addToSelection(photos, large)
    setIsOnlyChecking(false)
    setPhotos(all)
    setBlocked((list) => list.filter(({ file }) => !large.includes(file)))
    void start(all)
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
      <LeavingGuard busy={busy} />
      <div className="space-y-6">
        {interrupted && <Notice {...lastUploadStopped(interrupted)} />}
        {idle && (
          <PhotoPicker
            disabled={false}
            openedLedger={openedLedger}
            onPick={(added) => select(addToSelection(photos, added))}
            onBlocked={block}
          />
        )}
        {state.phase === 'uploading' && <UploadProgressCard {...state} onStop={stopUpload} />}
        {state.phase !== 'success' && !albumLost && (
          <BlockedFiles files={blocked} busy={busy} onShrink={shrinkAndUpload} onDismiss={dismissBlocked} />
        )}
        {state.phase === 'success' && <UploadProgressCard progress={state.progress} />}
        {state.phase === 'success' && <UploadOutcome state={state} />}
        {photos.length > 0 && !albumLost && (
          <PreviewGrid
            photos={photos}
            busy={!idle}
            onRemove={(photo) => select(photos.filter((other) => other !== photo))}
            onClear={clear}
          />
        )}
        {state.phase === 'error' && <UploadOutcome state={state} />}
        {known > 0 && <Notice>{alreadyUploaded(known, photos.length)}</Notice>}
        {state.phase !== 'success' && !albumLost && (
          <div className="sticky bottom-0 -mx-4 bg-[linear-gradient(to_top,var(--color-paper)_70%,transparent)] px-4 pt-6 pb-4 sm:static sm:m-0 sm:bg-none sm:p-0">
            <Button size="lg" className="w-full" busy={busy} disabled={!idle} onClick={send}>
              {(busy ? isOnlyChecking : sendsNothing)
                ? texts.goOn
                : busy
                  ? texts.uploading
                  : texts.upload(missing)}
            </Button>
          </div>
        )}
      </div>
    </Page>
  )
}

/** What /upload-success shows. */
function recordOf(upload: EndedUpload, organiser: Organiser, blocked: BlockedFile[]): UploadRecord {
  const { stopped } = upload.result
  const refused = notStored(upload.result)
  // The page has learned both since it was opened.
  const { userEmail, userAlbumSlug: albumSlug } = savedAlbum(organiser)
  return {
    photoCount: photosInAlbum(upload),
    thereBefore: photosThereBefore(upload),
    email: userEmail,
    albumName: organiser.eventName,
    ...(albumSlug && { albumSlug }),
    alreadyThere: isAlreadyThere(upload),
    ...(stopped && { stopped: { reason: stopped.reason, message: stopped.message } }),
    notStored: refused,
    // A photo that could not be made smaller is in both lists.
    blocked: blocked
      .map(({ file, reason }) => ({ filename: file.name, message: reason }))
      .filter((one) => !refused.some((other) => isSame(one, other))),
  }
}

function isSame(one: NotStored, other: NotStored): boolean {
  return one.filename === other.filename && one.message === other.message
}
