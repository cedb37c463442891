import type { EnteredAlbum } from '../../../src/contract/albums/albums.ts'
import type { Organiser } from '../../lib/persisted.ts'
import type { trpc } from '../../trpc.ts'

type Client = ReturnType<typeof trpc.useUtils>['client']

/** What a browser saves of an album whose owner still has a session there. Safari forgets what pages have saved after seven
 *  days without a visit, and keeps the cookie. */
export async function albumOfSession(client: Client, album: EnteredAlbum): Promise<Organiser> {
  const { ownerKey, email } = await client.albums.browserKey.query({ id: album.id })
  return {
    userEmail: email,
    eventName: album.displayName,
    userAlbumId: ownerKey,
    userAlbumSlug: album.albumName,
  }
}

/** The same for an album that only an address names.
 *  @returns null when the session is not its owner's */
export async function namedAlbumOfSession(client: Client, albumName: string): Promise<Organiser | null> {
  const { album } = await client.albums.visit.query({ albumName })
  return album?.isOwner ? await albumOfSession(client, album) : null
}
