import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { readOwnAlbums } from '../../lib/own-albums.ts'
import type { Organiser } from '../../lib/persisted.ts'
import { trpc } from '../../trpc.ts'
import { toast } from '../../ui/toast-store.ts'
import { openUploadHistory, type UploadHistory } from '../own-albums/upload-history.ts'
import { summaryOf } from './ended-upload.ts'
import { uploadInBatches } from './engine.ts'
import { isReadable } from './files.ts'
import * as messages from './messages.ts'
import { closeRound, ownedAlbum, sendBatchTo, watchConnection } from './service.ts'
import { createPrepare, createShrink } from './shrink.ts'
import { NOTHING_CHOSEN, reduce } from './state.ts'
import { storedPhotos, type TransferEvent } from './transfer.ts'

/** Ms between two changes of the bytes that the page shows. Browsers report them every 50 ms. */
const SHOWN_EVERY_MS = 250

/** Uploads a selection to one album. Photos that this browser has uploaded before are left out, and photos above the
 *  limit are made smaller. Toasts report failures and the end. After a success the round is closed, unless the album
 *  is lost. Leaving the page stops the upload. */
export function useUpload(organiser: Organiser) {
  const [state, dispatch] = useReducer(reduce, NOTHING_CHOSEN)
  const [history, setHistory] = useState<UploadHistory | null>(null)
  const running = useRef<AbortController>(null)
  const calls = trpc.useUtils()
  const { client } = calls
  const onAlbum = useMemo(() => ownedAlbum(client, organiser), [client, organiser])
  const [opening] = useState(() =>
    openUploadHistory(
      organiser.userAlbumId,
      readOwnAlbums().map((album) => album.userAlbumId),
    ),
  )

  useEffect(() => {
    void opening.then(setHistory)
    return () => running.current?.abort()
  }, [opening])

  /** @param photos all that are selected */
  async function start(photos: readonly File[]) {
    if (photos.length === 0) return void toast(messages.NO_PHOTOS_SELECTED)
    const history = await opening
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const missing = photos.filter((photo) => !history.has(photo))
    const known = photos.length - missing.length
    dispatch({ type: 'begun', photos, missing })
    if (missing.length > 0) await history.begin({ done: known, total: photos.length })

    let shownAt = 0
    const say = (event: TransferEvent) => {
      if (event.type === 'answered') void history.note(storedPhotos(event.batch, event.answer))
      if (signal.aborted) return
      const at = Date.now()
      if (event.type === 'sent' && at - shownAt < SHOWN_EVERY_MS) return
      shownAt = at
      const said = messages.toastOf(event)
      if (said) toast(said)
      dispatch({ type: 'transfer', event, at })
    }
    try {
      const result = await uploadInBatches(
        missing,
        {
          send: sendBatchTo(onAlbum),
          check: () => onAlbum((id) => client.albums.progress.query({ id }, { signal })),
          isReadable,
          prepare: createPrepare(missing, createShrink(signal), (preparing) =>
            say({ type: 'preparing', preparing }),
          ),
          connection: watchConnection(signal),
          signal,
        },
        say,
      )
      if (result.unsent.length === 0 || result.stopped?.reason === 'gone') await history.end()
      signal.throwIfAborted()
      const ended = { result, known }
      toast(messages.ended(ended))
      dispatch({ type: 'ended', ended })
      if (!summaryOf(ended).isSuccess) return
      if (!result.stopped?.albumLost)
        void closeRound(() => onAlbum((id) => client.albums.finishUpload.mutate({ id })))
      // With its first photos the album joins the public list.
      void calls.albums.listPage.invalidate()
    } catch (error) {
      if (signal.aborted) return
      toast(messages.unexpectedFailure(error))
      dispatch({ type: 'broken off' })
    } finally {
      controller.abort()
    }
  }

  function stop() {
    running.current?.abort()
    dispatch({ type: 'left' })
  }

  return { state, dispatch, history, opening, onAlbum, start, stop }
}
