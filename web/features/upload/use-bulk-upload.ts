import { useCallback, useEffect, useRef, useState } from 'react'
import { trpc } from '../../trpc.ts'
import { toast } from '../../ui/toast-store.ts'
import { type UploadProgress, type UploadResult, uploadInBatches } from './engine.ts'
import * as messages from './messages.ts'
import { sendBatchTo } from './send-batch.ts'

export type BulkUploadState =
  | { phase: 'idle' }
  | { phase: 'uploading'; progress: UploadProgress }
  | { phase: 'success'; progress: UploadProgress; result: UploadResult }
  /** `result` is null when the upload broke off unexpectedly. */
  | { phase: 'error'; result: UploadResult | null }

const NOTHING_SENT: UploadProgress = { photosDone: 0, photosTotal: 0, bytesSent: 0, bytesTotal: 0 }

/** Runs the upload of a selection to one album, tells of it in toasts, and closes the round at the end.
 *  Leaving the page stops it. */
export function useBulkUpload(userAlbumId: string) {
  const [state, setState] = useState<BulkUploadState>({ phase: 'idle' })
  const running = useRef<AbortController>(null)
  const { mutateAsync: finishUpload } = trpc.albums.finishUpload.useMutation()

  useEffect(() => () => running.current?.abort(), [])

  const start = useCallback(
    async (photos: readonly File[]) => {
      if (photos.length === 0) return void toast(messages.NO_PHOTOS_SELECTED)
      const controller = new AbortController()
      running.current = controller
      let progress = NOTHING_SENT
      try {
        const result = await uploadInBatches(
          photos,
          sendBatchTo(userAlbumId),
          {
            onProgress: (next) => {
              progress = next
              setState({ phase: 'uploading', progress })
            },
            onBatchFailed: (batch, message) => toast(messages.batchFailed(batch, message)),
            onRetryStarted: () => toast(messages.RETRYING),
            onBatchRetried: (batch, count) => toast(messages.batchRetried(batch, count)),
            onBatchRetryFailed: (batch, count) => toast(messages.batchRetryFailed(batch, count)),
          },
          controller.signal,
        )
        // With nothing stored there is no round worth closing: the visitor will try again.
        if (result.successful > 0) await closeRound(finishUpload, userAlbumId)
        controller.signal.throwIfAborted()
        toast(messages.completed(result))
        setState(result.successful > 0 ? { phase: 'success', progress, result } : { phase: 'error', result })
      } catch (error) {
        if (controller.signal.aborted) return
        toast(messages.unexpectedFailure(error))
        setState({ phase: 'error', result: null })
      }
    },
    [userAlbumId, finishUpload],
  )

  const reset = useCallback(() => setState({ phase: 'idle' }), [])

  return { state, start, reset }
}

/** The photos are stored whether or not this call arrives: the service closes a quiet round by itself. */
async function closeRound(finish: (input: { id: string }) => Promise<unknown>, id: string): Promise<void> {
  try {
    await finish({ id })
  } catch (error) {
    console.warn('The upload round was left for the service to close', error)
  }
}
