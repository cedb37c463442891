import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useReducer, useRef } from 'react'
import { UPLOAD_REDIRECT_DELAY_MS } from '../../../src/contract/limits.ts'
import { savedAlbum } from '../../lib/own-albums.ts'
import { pause } from '../../lib/pause.ts'
import { KEPT, type Organiser } from '../../lib/persisted.ts'
import { trpc } from '../../trpc.ts'
import { toast } from '../../ui/toast-store.ts'
import type { UploadHistory } from '../own-albums/upload-history.ts'
import { type EngineEvent, uploadInBatches } from './engine.ts'
import { type BlockedFile, createPrepare, createShrink } from './files.ts'
import { ownedAlbum, sendBatchTo } from './service.ts'
import * as states from './state.ts'

/** More reasons than this would not fit into the browser's storage. */
const LISTED = 200

/** Uploads a selection to one album. Photos that this browser has uploaded before are left out, and photos above the
 *  limit are made smaller. Toasts report failures and the end. After a success the round is closed, unless the album
 *  is lost, and the page of its record follows. Leaving the page stops the upload. */
export function useUpload(organiser: Organiser, history: UploadHistory) {
  const [state, dispatch] = useReducer(states.reduce, states.NOTHING_CHOSEN)
  const running = useRef<AbortController>(null)
  const navigate = useNavigate()
  const { client, albums } = trpc.useUtils()
  const onAlbum = useMemo(() => ownedAlbum(client, organiser.userAlbumId), [client, organiser])

  useEffect(() => () => running.current?.abort(), [])

  /** @param photos all that are selected */
  async function start(photos: readonly File[]) {
    if (photos.length === 0) return void toast(states.NO_PHOTOS_SELECTED)
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const missing = photos.filter((photo) => !history.has(photo))
    const known = photos.length - missing.length
    const blocked = state.blocked.filter(({ file }) => !photos.includes(file))
    dispatch({ type: 'begun', photos, missing })
    if (missing.length > 0) await history.begin({ done: known, total: photos.length })

    function say(event: EngineEvent) {
      if (event.type === 'stored') void history.note(event.photos)
      else if (signal.aborted) return
      else if (event.type === 'said') toast(event.toast)
      else dispatch({ ...event, at: Date.now() })
    }
    const prepare = createPrepare(
      missing,
      createShrink(signal),
      (preparing) => signal.aborted || dispatch({ type: 'preparing', preparing }),
    )
    try {
      const transfer = await uploadInBatches(missing, { send: sendBatchTo(onAlbum), prepare, signal }, say)
      if (transfer.open.length === 0 || transfer.stopped?.reason === 'lost') await history.end()
      signal.throwIfAborted()
      const ended = states.endOf(transfer, known)
      toast(states.endToast(ended))
      dispatch({ type: 'ended', ended })
      if (states.isSuccess(ended)) await goOn(ended, blocked, signal)
    } catch (error) {
      if (signal.aborted) return
      toast(states.unexpectedFailure(error as Error))
      dispatch({ type: 'ended', ended: null })
    } finally {
      controller.abort()
    }
  }

  async function goOn(ended: states.EndedUpload, blocked: readonly BlockedFile[], signal: AbortSignal) {
    const { photoCount, thereBefore, stopped } = ended
    if (stopped?.reason !== 'lost')
      void onAlbum((id) => client.albums.finishUpload.mutate({ id })).catch((error: unknown) =>
        console.warn('The upload round was left for the service to close', error),
      )
    // With its first photos the album joins the public list.
    void albums.listPage.invalidate()
    // The page has learned both since it was opened.
    const { userEmail: email, userAlbumSlug: albumSlug } = savedAlbum(organiser)
    const notStored = [
      ...ended.notStored,
      ...blocked.map(({ file, reason }) => ({ filename: file.name, message: reason })),
    ]
    const isKept = KEPT.uploadRecord.write({
      photoCount,
      thereBefore,
      email,
      albumName: organiser.eventName,
      ...(albumSlug && { albumSlug }),
      ...(stopped && { stopped }),
      notStored: notStored.slice(0, LISTED),
      notStoredCount: notStored.length,
    })
    // Without its record the next page would have nothing to say, so this one stays.
    if (!isKept) return
    await pause(UPLOAD_REDIRECT_DELAY_MS, signal)
    await navigate({ to: '/upload-success', replace: true })
  }

  function stop() {
    running.current?.abort()
    dispatch({ type: 'left' })
  }

  return { state, dispatch, onAlbum, start, stop }
}
