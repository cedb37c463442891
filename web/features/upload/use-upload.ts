import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useReducer, useRef } from 'react'
import { UPLOAD_REDIRECT_DELAY_MS } from '../../../src/contract/limits.ts'
import { pause } from '../../lib/pause.ts'
import { KEPT, type Organiser } from '../../lib/persisted.ts'
import { trpc } from '../../trpc.ts'
import { toast } from '../../ui/toast-store.ts'
import type { UploadHistory } from '../own-albums/upload-history.ts'
import { type EngineEvent, uploadInBatches } from './engine.ts'
import type { BlockedFile } from './files.ts'
import * as outcome from './outcome.ts'
import { watchConnection } from './patience.ts'
import { ownedAlbum, sendBatchTo } from './service.ts'
import { createPrepare, createShrink } from './shrink.ts'
import { NOTHING_CHOSEN, reduce, type UploadEvent } from './state.ts'

/** Uploads a selection to one album. Photos that this browser has uploaded before are left out, and photos above the
 *  limit are made smaller. Toasts report failures and the end. After a success the round is closed, unless the album
 *  is lost, and the page of its record follows. Leaving the page stops the upload. */
export function useUpload(organiser: Organiser, history: UploadHistory) {
  const [state, dispatch] = useReducer(reduce, NOTHING_CHOSEN)
  const running = useRef<AbortController>(null)
  const navigate = useNavigate()
  const calls = trpc.useUtils()
  const { client } = calls
  const onAlbum = useMemo(() => ownedAlbum(client, organiser), [client, organiser])

  useEffect(() => () => running.current?.abort(), [])

  /** @param photos all that are selected */
  async function start(photos: readonly File[]) {
    if (photos.length === 0) return void toast(outcome.NO_PHOTOS_SELECTED)
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const missing = photos.filter((photo) => !history.has(photo))
    const known = photos.length - missing.length
    const blocked = state.blocked.filter(({ file }) => !photos.includes(file))
    dispatch({ type: 'begun', photos, missing })
    if (missing.length > 0) await history.begin({ done: known, total: photos.length })

    const show = (event: UploadEvent) => signal.aborted || dispatch(event)
    const say = (event: EngineEvent) => {
      if (event.type === 'stored') void history.note(event.photos)
      else if (event.type === 'moved') show({ ...event, at: Date.now() })
      else if (event.type === 'blocked') show(event)
      else if (!signal.aborted) toast(event.toast)
    }
    try {
      const transfer = await uploadInBatches(
        missing,
        {
          send: sendBatchTo(onAlbum),
          check: () => onAlbum((id) => client.albums.progress.query({ id }, { signal })),
          prepare: createPrepare(missing, createShrink(signal), (preparing) =>
            show({ type: 'preparing', preparing }),
          ),
          connection: watchConnection(signal),
          signal,
        },
        say,
      )
      if (transfer.unsent === 0 || transfer.stopped?.reason === 'gone') await history.end()
      signal.throwIfAborted()
      const ended = outcome.endOf(transfer, known)
      toast(outcome.endToast(ended))
      dispatch({ type: 'ended', ended })
      if (ended.isSuccess) await goOn(ended, blocked, signal)
    } catch (error) {
      if (signal.aborted) return
      toast(outcome.unexpectedFailure(error))
      dispatch({ type: 'ended', ended: null })
    } finally {
      controller.abort()
    }
  }

  async function goOn(ended: outcome.EndedUpload, blocked: readonly BlockedFile[], signal: AbortSignal) {
    if (!ended.stopped?.albumLost)
      void onAlbum((id) => client.albums.finishUpload.mutate({ id })).catch((error: unknown) =>
        console.warn('The upload round was left for the service to close', error),
      )
    // With its first photos the album joins the public list.
    void calls.albums.listPage.invalidate()
    // Without its record the next page would have nothing to say, so this one stays.
    if (!KEPT.uploadRecord.write(outcome.recordOf(ended, organiser, blocked))) return
    await pause(UPLOAD_REDIRECT_DELAY_MS, signal)
    await navigate({ to: '/upload-success', replace: true })
  }

  function stop() {
    running.current?.abort()
    dispatch({ type: 'left' })
  }

  return { state, dispatch, onAlbum, start, stop }
}
