import { useCallback, useEffect, useRef, useState } from 'react'
import { trpc } from '../../trpc.ts'
import { toast } from '../../ui/toast-store.ts'
import { closeRound } from './close-round.ts'
import { watchConnection } from './connection.ts'
import { uploadInBatches } from './engine.ts'
import { openLedger, type UploadLedger } from './ledger.ts'
import * as messages from './messages.ts'
import type { Waiting } from './patience.ts'
import { createProgressFeed, type Shown } from './progress-feed.ts'
import { isReadable } from './readable.ts'
import { sendBatchTo } from './send-batch.ts'
import type { UploadProgress, UploadResult } from './upload-state.ts'

export type BulkUploadState =
  | { phase: 'idle' }
  | ({ phase: 'uploading'; waiting: Waiting | null } & Shown)
  /** `known`: photos of the selection that were in the album before. */
  | { phase: 'success'; progress: UploadProgress; result: UploadResult; known: number }
  /** `result` is null when the upload broke off unexpectedly. */
  | { phase: 'error'; result: UploadResult | null }

const NOTHING_SENT: UploadProgress = { photosDone: 0, photosTotal: 0, bytesSent: 0, bytesTotal: 0 }

/** Runs the upload of a selection to one album: only of what this browser has not uploaded before. Tells of it
 *  in toasts, and closes the round at the end. Leaving the page stops it. */
export function useBulkUpload(userAlbumId: string) {
  const [state, setState] = useState<BulkUploadState>({ phase: 'idle' })
  const [ledger, setLedger] = useState<UploadLedger | null>(null)
  const opening = useRef<Promise<UploadLedger>>(null)
  const running = useRef<AbortController>(null)
  const { mutateAsync: finishUpload } = trpc.albums.finishUpload.useMutation()

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
      const missing = photos.filter((photo) => !ledger.has(photo))
      const known = photos.length - missing.length
      let shown: Shown & { waiting: Waiting | null } = { progress: NOTHING_SENT, pace: null, waiting: null }
      const show = (change: Partial<typeof shown>) => {
        shown = { ...shown, ...change }
        setState({ phase: 'uploading', ...shown })
      }
      const feed = createProgressFeed(show)
      show({})
      try {
        await ledger.begin({ done: known, total: photos.length })
        const result = await uploadInBatches(
          missing,
          sendBatchTo(userAlbumId),
          {
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
          },
          { signal: controller.signal, connection: watchConnection(controller.signal), isReadable },
        )
        if (result.unsent.length === 0) await ledger.end()
        controller.signal.throwIfAborted()
        if (result.stopped) {
          toast(messages.unexpectedFailure(result.stopped))
          return setState({ phase: 'error', result })
        }
        const stored = missing.length === 0 ? known : result.successful
        // With nothing stored there is no round worth closing: the visitor will try again.
        if (stored > 0) void closeRound(() => finishUpload({ id: userAlbumId }))
        toast(messages.completed({ ...result, successful: stored }))
        setState(
          stored > 0
            ? { phase: 'success', progress: shown.progress, result, known }
            : { phase: 'error', result },
        )
      } catch (error) {
        if (controller.signal.aborted) return
        toast(messages.unexpectedFailure(error))
        setState({ phase: 'error', result: null })
      } finally {
        controller.abort()
      }
    },
    [userAlbumId, finishUpload],
  )

  const reset = useCallback(() => setState({ phase: 'idle' }), [])

  return { state, ledger, start, reset }
}
