import { useCallback, useEffect, useRef, useState } from 'react'
import { trpc } from '../../trpc.ts'
import { toast } from '../../ui/toast-store.ts'
import type { BlockedFile } from './accept-photos.ts'
import { closeRound } from './close-round.ts'
import { watchConnection } from './connection.ts'
import { uploadInBatches } from './engine.ts'
import { openLedger, type UploadLedger } from './ledger.ts'
import * as messages from './messages.ts'
import type { Waiting } from './patience.ts'
import { createPrepare, type Preparing } from './prepare-photos.ts'
import { createProgressFeed, type Shown } from './progress-feed.ts'
import { isReadable } from './readable.ts'
import { sendBatchTo } from './send-batch.ts'
import { createShrink } from './shrink-photos.ts'
import type { UploadProgress, UploadResult } from './upload-state.ts'

export type BulkUploadState =
  | { phase: 'idle' }
  | ({ phase: 'uploading' } & Activity)
  /** `known`: photos of the selection that were in the album before. */
  | { phase: 'success'; progress: UploadProgress; result: UploadResult; known: number }
  /** `result` is null when the upload broke off unexpectedly. */
  | { phase: 'error'; result: UploadResult | null }

/** What an upload does at the moment. */
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

/** Uploads a selection to one album: only what this browser has not uploaded before, and photos above the limit made
 *  smaller. Toasts say how it goes. It closes the round at the end. Leaving the page stops it.
 *  @param onBlocked takes the photos that could not be made smaller; it must not change */
export function useBulkUpload(userAlbumId: string, onBlocked: (files: BlockedFile[]) => void) {
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
      let shown = STARTING
      const show = (change: Partial<Activity>) => {
        if (controller.signal.aborted) return
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
            onNotShrunk: (failures) => onBlocked([...failures].map(([file, reason]) => ({ file, reason }))),
            onStored: (stored) => void ledger.note(stored),
            onBatchFailed: (batch, message) => toast(messages.batchFailed(batch, message)),
            onRetryStarted: () => toast(messages.RETRYING),
            onBatchRetried: (batch, count) => toast(messages.batchRetried(batch, count)),
            onBatchRetryFailed: (batch, count) => toast(messages.batchRetryFailed(batch, count)),
          },
          {
            signal: controller.signal,
            connection: watchConnection(controller.signal),
            isReadable,
            prepare: createPrepare(missing, createShrink(controller.signal), (preparing) =>
              show({ preparing }),
            ),
          },
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
    [userAlbumId, finishUpload, onBlocked],
  )

  const reset = useCallback(() => setState({ phase: 'idle' }), [])

  const stop = useCallback(() => {
    running.current?.abort()
    reset()
  }, [reset])

  return { state, ledger, start, stop, reset }
}
