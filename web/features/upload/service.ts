/** How the upload page speaks with the service. */
import type { UploadOutput } from '../../../src/contract/photos.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import { failureOf, RequestFailure } from '../../lib/failure.ts'
import { keepAlbum } from '../../lib/keep-albums.ts'
import { postMultipart } from '../../lib/multipart.ts'
import { readOwnAlbums } from '../../lib/own-albums.ts'
import { pause } from '../../lib/pause.ts'
import type { Organiser } from '../../lib/persisted.ts'
import type { trpc } from '../../trpc.ts'
import type { EngineOptions } from './engine.ts'
import type { Connection } from './patience.ts'

type Client = ReturnType<typeof trpc.useUtils>['client']

/** Makes a call on the organiser's album, with its public id. */
export type OnAlbum = <Answer>(call: (albumId: string) => Promise<Answer>) => Promise<Answer>

/** The album of the saved owner key. The key is exchanged for an owner's session, so it is in no address. When the
 *  session has ended, the key is exchanged again, unless the organiser has logged out meanwhile. */
export function ownedAlbum(client: Client, { userAlbumId, userAlbumSlug }: Organiser): OnAlbum {
  const isKept = () => readOwnAlbums().some((own) => own.userAlbumId === userAlbumId)
  let entering: Promise<string> | undefined

  async function enter(): Promise<string> {
    try {
      const { album, email } = await client.albums.enterAsOwner.mutate({ ownerKey: userAlbumId })
      // Its name may be missing, and its letters may go to another address by now.
      if (isKept())
        keepAlbum({
          userEmail: email,
          eventName: album.displayName,
          userAlbumId,
          userAlbumSlug: album.albumName,
        })
      return album.id
    } catch (error) {
      if (failureOf(error)?.status !== 404 || !userAlbumSlug) throw error
      const { albumExists } = await client.albums.authStatus.query({ albumName: userAlbumSlug })
      throw albumExists ? new RequestFailure(texts.notAllowed, 403) : error
    }
  }

  /** @returns the album's public id */
  function entered(): Promise<string> {
    entering ??= enter().catch((error) => {
      entering = undefined
      throw error
    })
    return entering
  }

  return async (call) => {
    const first = entered()
    try {
      return await call(await first)
    } catch (error) {
      if (failureOf(error)?.status !== 401 || !isKept()) throw error
      if (entering === first) entering = undefined
      return await call(await entered())
    }
  }
}

/** Sends batches to the organiser's album. */
export function sendBatchTo(onAlbum: OnAlbum): EngineOptions['send'] {
  return async ({ photos, fields }, options) => {
    const form = new FormData()
    // The fields come first: the service reads the body as it arrives.
    for (const [name, value] of Object.entries(fields ?? {})) form.append(name, String(value))
    for (const photo of photos) form.append('photos', photo, photo.name)
    try {
      return await onAlbum((id) =>
        postMultipart<UploadOutput>(`/api/albums/${id}/upload-photos`, form, options),
      )
    } catch (error) {
      const verdicts = refusedFiles(error)
      if (verdicts) return verdicts
      throw error
    }
  }
}

/** A 4xx answer with a verdict for each file refused the files. The request itself did not fail, and a retry would
 *  change nothing. */
function refusedFiles(error: unknown): UploadOutput | null {
  if (!(error instanceof RequestFailure) || error.status < 400 || error.status > 499) return null
  const answer = error.body as Partial<UploadOutput> | null
  if (!Array.isArray(answer?.files) || answer.files.length === 0) return null
  return {
    successful: answer.successful ?? 0,
    failed: answer.failed ?? answer.files.length,
    files: answer.files,
  }
}

/** Ms before each further try. */
const TRIES_AFTER = [2_000, 10_000]

/** Tells the service that everything has been sent. It gives up after a few tries: the photos are stored anyway, and
 *  the service closes a round without requests itself. */
export async function closeRound(finish: () => Promise<unknown>): Promise<void> {
  for (const wait of [...TRIES_AFTER, null]) {
    try {
      await finish()
      return
    } catch (error) {
      if (wait === null) console.warn('The upload round was left for the service to close', error)
      else await pause(wait)
    }
  }
}

/** Some browsers do not report that they are online again. So an attempt is made after this time. */
const TRY_ANYWAY_MS = 15_000

/** @param signal ends the watching. */
export function watchConnection(signal: AbortSignal): Connection {
  let lastOffline = Number.NEGATIVE_INFINITY
  window.addEventListener('offline', () => (lastOffline = Date.now()), { signal })
  return {
    wasOffline: (at) => !navigator.onLine || lastOffline >= at,
    async back(stop) {
      const over = new AbortController()
      const online = new Promise<void>((resolve) =>
        window.addEventListener('online', () => resolve(), { signal: over.signal, once: true }),
      )
      await Promise.race([online, pause(TRY_ANYWAY_MS, stop)]).finally(() => over.abort())
    },
  }
}
