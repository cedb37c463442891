import { upload as texts } from '../../../src/texts/english.ts'
import { failureOf, RequestFailure } from '../../lib/failure.ts'
import { keepAlbum } from '../../lib/save-values.ts'
import { type Organiser, readOwnAlbums } from '../../lib/saved-values.ts'
import type { trpc } from '../../trpc.ts'

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
