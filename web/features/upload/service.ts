/** How the upload page speaks with the service. */
import { BATCH_TIMEOUT_MS } from '../../../src/contract/limits.ts'
import type { UploadOutput } from '../../../src/contract/photos.ts'
import { failureOf } from '../../lib/failure.ts'
import { keepAlbum } from '../../lib/keep-albums.ts'
import { postMultipart } from '../../lib/multipart.ts'
import { readOwnAlbums } from '../../lib/own-albums.ts'
import type { trpc } from '../../trpc.ts'
import type { EngineOptions } from './engine.ts'

type Client = ReturnType<typeof trpc.useUtils>['client']

/** Makes a call on the organiser's album, with its public id. */
export type OnAlbum = <Answer>(call: (albumId: string) => Promise<Answer>) => Promise<Answer>

/** The album of the saved owner key. The key is exchanged for an owner's session, so it is in no address. When the
 *  session has ended, the key is exchanged again, unless the organiser has logged out meanwhile. */
export function ownedAlbum(client: Client, ownerKey: string): OnAlbum {
  const isKept = () => readOwnAlbums().some(({ userAlbumId }) => userAlbumId === ownerKey)
  async function enter(): Promise<string> {
    const { album, email } = await client.albums.enterAsOwner.mutate({ ownerKey })
    // Its name may be missing, and its letters may go to another address by now.
    const { displayName: eventName, albumName: userAlbumSlug } = album
    if (isKept()) keepAlbum({ userEmail: email, eventName, userAlbumId: ownerKey, userAlbumSlug })
    return album.id
  }

  let albumId: string | undefined
  return async (call) => {
    try {
      albumId ??= await enter()
      return await call(albumId)
    } catch (error) {
      if (failureOf(error)?.status !== 401 || !isKept()) throw error
      albumId = await enter()
      return await call(albumId)
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
    const sending = { ...options, timeoutMs: fields ? BATCH_TIMEOUT_MS : 0 }
    try {
      return await onAlbum((id) =>
        postMultipart<UploadOutput>(`/api/albums/${id}/upload-photos`, form, sending),
      )
    } catch (error) {
      const { status = 0, body } = failureOf(error) ?? {}
      const answer = body as Partial<UploadOutput> | null
      // It refused the files. The request itself did not fail, and a retry would change nothing.
      if (status >= 400 && status <= 499 && answer?.files?.length) return answer as UploadOutput
      throw error
    }
  }
}
