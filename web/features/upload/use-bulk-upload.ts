import { useCallback, useEffect, useRef, useState } from 'react'
import { trpc } from '../../trpc.ts'
import { toast } from '../../ui/toast-store.ts'
import { closeRound } from './close-round.ts'
import { watchConnection } from './connection.ts'
import { type EndedUpload, isSuccess } from './ended-upload.ts'
import type { EngineEvents } from './engine.ts'
import { openLedger, type UploadLedger } from './ledger.ts'
import * as messages from './messages.ts'
import type { Waiting } from './patience.ts'
import { createProgressFeed, type Shown } from './progress-feed.ts'
import { sendBatchTo } from './send-batch.ts'
import { uploadSelection } from './upload-selection.ts'
import type { UploadProgress } from './upload-state.ts'

interface Uploading extends Shown {
  waiting: Waiting | null
}

export type BulkUploadState =
  | { phase: 'idle' }
  | ({ phase: 'uploading' } & Uploading)
  | ({ phase: 'success'; progress: UploadProgress } & EndedUpload)
  /** `ended` is null when the upload broke off unexpectedly. */
  | { phase: 'error'; ended: EndedUpload | null }

const NOTHING_SENT: UploadProgress = { photosDone: 0, photosTotal: 0, bytesSent: 0, bytesTotal: 0 }

/** Uploads selections to one album: only what this browser has not uploaded before. Announces it in toasts, and
 *  closes the round at the end. Leaving the page stops the upload. */
export function useBulkUpload(userAlbumId: string) {
  const [state, setState] = useState<BulkUploadState>({ phase: 'idle' })
  const [ledger, setLedger] = useState<UploadLedger | null>(null)
  const opening = useRef<Promise<UploadLedger>>(null)
  const running = useRef<AbortController>(null)
  const { client } = trpc.useUtils()

  useEffect(() => {
    let here = true
    opening.current = openLedger(userAlbumId)
    void opening.current.then((opened) => here && setLedger(opened))
    return () => {
      here = false
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
        send: sendBatchTo(userAlbumId),
        check: () => client.albums.progress.query({ id: userAlbumId }, { signal }),
      }
      let shown: Uploading = { progress: NOTHING_SENT, pace: null, waiting: null }
      const show = (change: Partial<Uploading>) => {
        shown = { ...shown, ...change }
        setState({ phase: 'uploading', ...shown })
      }
      show({})
      try {
        const events = eventsOf(ledger, show)
        const connection = watchConnection(signal)
        const ended = await uploadSelection(photos, album, events, { ledger, signal, connection })
        signal.throwIfAborted()
        toast(messages.ended(ended))
        if (!isSuccess(ended)) return setState({ phase: 'error', ended })
        if (!ended.result.stopped?.albumLost)
          void closeRound(() => client.albums.finishUpload.mutate({ id: userAlbumId }))
        setState({ phase: 'success', progress: shown.progress, ...ended })
      } catch (error) {
        if (signal.aborted) return
        toast(messages.unexpectedFailure(error))
        setState({ phase: 'error', ended: null })
      } finally {
        controller.abort()
      }
    },
    [userAlbumId, client],
  )

  const reset = useCallback(() => setState({ phase: 'idle' }), [])

  return { state, ledger, start, reset }
}

function eventsOf(ledger: UploadLedger, show: (change: Partial<Uploading>) => void): EngineEvents {
  const feed = createProgressFeed(show)
  return {
    onProgress: feed.tell,
    onWaiting(waiting) {
      feed.skip()
      show({ waiting })
    },
    onStored: (stored) => void ledger.note(stored),
    onBatchFailed: (batch, message) => toast(messages.batchFailed(batch, message)),
    onRetryStarted: () => toast(messages.RETRYING),
    onBatchRetried: (batch, count) => toast(messages.batchRetried(batch, count)),
    onBatchRetryFailed: (batch, count) => toast(messages.batchRetryFailed(batch, count)),
  }
}
