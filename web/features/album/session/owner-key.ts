import { keepAlbum } from '../../../lib/keep-albums.ts'
import { readOrganiser } from '../../../lib/own-albums.ts'
import type { trpc } from '../../../trpc.ts'

type Client = ReturnType<typeof trpc.useUtils>['client']
type Entered = Awaited<ReturnType<Client['albums']['enterAsOwner']['mutate']>>

/** Where a key comes from: it was saved with this album's name, or is that of the album in hand, whose name only the service
 *  knows, or was in a private link. */
export type KeyFrom = 'name' | 'hand' | 'link'

/** Saves the owner key with which the visitor has entered, beside those of other albums. The key of a link that leads to
 *  another album than its own is not saved.
 *  @param albumName of the page */
export async function keepKey(
  client: Client,
  albumName: string,
  { key, from }: { key: string; from: KeyFrom },
  { album, email }: Entered,
): Promise<void> {
  if (from === 'link') {
    if (album.albumName !== albumName) return
    // The link of a letter has another key than the one that the album was created with, which lasts longer.
    const former = readOrganiser(albumName)
    if (former && former.userAlbumId !== key && (await opens(client, former.userAlbumId, albumName))) return
  }
  keepAlbum({
    userEmail: email,
    eventName: album.displayName,
    userAlbumId: key,
    userAlbumSlug: album.albumName,
  })
}

async function opens(client: Client, ownerKey: string, albumName: string): Promise<boolean> {
  const entered = await client.albums.enterAsOwner.mutate({ ownerKey }).catch(() => undefined)
  return entered?.album.albumName === albumName
}
