import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Organiser, readOwnAlbums } from '../../lib/saved-values.ts'
import { trpc } from '../../trpc.ts'
import { toast } from '../../ui/toast-store.ts'
import type { BlockedFile } from './accept-photos.ts'
import { closeRound } from './close-round.ts'
import { watchConnection } from './connection.ts'
import { type EndedUpload, isSuccess } from './ended-upload.ts'
import { openLedger, type UploadLedger } from './ledger.ts'
import * as messages from './messages.ts'
import { ownedAlbum } from './owned-album.ts'
import type { Waiting } from './patience.ts'
import { createPrepare, type Preparing } from './prepare-photos.ts'
import { createProgressFeed, type Shown } from './progress-feed.ts'
import { sendBatchTo } from './send-batch.ts'
import { createShrink } from './shrink-photos.ts'
import type { EngineEvents } from './upload-engine.ts'
import { uploadSelection } from './upload-selection.ts'
import type { UploadProgress } from './upload-state.ts'

export type BulkUploadState =
  | { phase: 'idle' }
  | ({ phase: 'uploading' } & Activity)
  | ({ phase: 'success'; progress: UploadProgress } & EndedUpload)
  /** `ended` is null when the upload broke off unexpectedly. */
  | { phase: 'error'; ended: EndedUpload | null }

/** What an upload is doing. */
interface Activity extends Shown {
  waiting: Waiting | null
  preparing: Preparing | null
}

const STARTING: Activity = {
  progress: { photosDone: 0, photosTotal: 0, bytesSent: 0, bytesTotal: 0 },
  pace: null,
  waiting: null,
  preparing: null,
}

/** Uploads a selection to one album. Photos that this browser has uploaded before are left out, and photos above the
 *  limit are made smaller. Toasts report failures and the end. After a success the round is closed, unless the album
 *  is lost. Leaving the page stops the upload.
 *  @param onBlocked gets the photos that could not be made smaller; the same function on every render */
export function useBulkUpload(organiser: Organiser, onBlocked: (files: BlockedFile[]) => void) {
  const [state, setState] = useState<BulkUploadState>({ phase: 'idle' })
  const [ledger, setLedger] = useState<UploadLedger | null>(null)
  const opening = useRef<Promise<UploadLedger>>(null)
  const running = useRef<AbortController>(null)
  const calls = trpc.useUtils()
  const { client } = calls
  const { userAlbumId } = organiser
  const onAlbum = useMemo(() => ownedAlbum(client, organiser), [client, organiser])

  useEffect(() => {
    let isMounted = true
    opening.current = openLedger(
      userAlbumId,
      readOwnAlbums().map((album) => album.userAlbumId),
    )
    void opening.current.then((opened) => isMounted && setLedger(opened))
    return () => {
      isMounted = false
      running.current?.abort()
    }
  }, [userAlbumId])

  const start = useCallback(
    async (photos: readonly File[]) => {
      if (photos.length === 0) return void toast(messages.NO_PHOTOS_SELECTED)
      const ledger = await opening.current!
      const controller = new AbortController()
      running.current = controller
      const { signal } = controller
      const album = {
        send: sendBatchTo(onAlbum),
        check: () => onAlbum((id) => client.albums.progress.query({ id }, { signal })),
      }
      let shown = STARTING
      const show = (change: Partial<Activity>) => {
        if (signal.aborted) return
        shown = { ...shown, ...change }
        setState({ phase: 'uploading', ...shown })
      }
      show({})
      try {
        const ended = await uploadSelection(photos, album, eventsOf(ledger, show, onBlocked), {
          ledger,
          signal,
          connection: watchConnection(signal),
          prepareFor: (missing) =>
            createPrepare(missing, createShrink(signal), (preparing) => show({ preparing })),
        })
        signal.throwIfAborted()
        toast(messages.ended(ended))
        if (!isSuccess(ended)) return setState({ phase: 'error', ended })
        if (!ended.result.stopped?.albumLost)
          void closeRound(() => onAlbum((id) => client.albums.finishUpload.mutate({ id })))
        // With its first photos the album joins the public list.
        void calls.albums.listPage.invalidate()
        setState({ phase: 'success', progress: shown.progress, ...ended })
      } catch (error) {
        if (signal.aborted) return
        toast(messages.unexpectedFailure(error))
        setState({ phase: 'error', ended: null })
      } finally {
        controller.abort()
      }
    },
    [onAlbum, client, calls, onBlocked],
  )

  const openedLedger = useCallback(() => opening.current!, [])

  const reset = useCallback(() => setState({ phase: 'idle' }), [])

  const stop = useCallback(() => {
    running.current?.abort()
    reset()
  }, [reset])

  return { state, ledger, openedLedger, onAlbum, start, stop, reset }
}

function eventsOf(
  ledger: UploadLedger,
  show: (change: Partial<Activity>) => void,
  onBlocked: (files: BlockedFile[]) => void,
): EngineEvents {
  const feed = createProgressFeed(show)
  return {
    onProgress: feed.update,
    onWaiting(waiting) {
      feed.skip()
      show({ waiting })
    },
    onNotShrunk: (failures) => onBlocked([...failures].map(([file, reason]) => ({ file, reason }))),
    onStored: (stored) => void ledger.note(stored),
    onBatchFailed: (batch, message) => toast(messages.batchFailed(batch, message)),
    onRetryStarted: () => toast(messages.RETRYING),
    onBatchRetried: (batch, count) => toast(messages.batchRetried(batch, count)),
    onBatchRetryFailed: (batch, count) => toast(messages.batchRetryFailed(batch, count)),
  }
}
