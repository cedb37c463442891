import { keepAlbum } from '../../../lib/save-values.ts'
import { readOrganiser } from '../../../lib/saved-values.ts'
import type { trpc } from '../../../trpc.ts'

/** Whether this browser has the owner key of this album, with which the upload page uploads. 'not-kept': the visitor came
 *  by a private link, and the browser did not save its key. */
export type KeptKey = 'none' | 'asking' | 'kept' | 'not-kept'

/** Where a key comes from: it was saved with this album's name, or is that of the album in hand, whose name only the service
 *  knows, or was in a private link. */
export type KeyFrom = 'name' | 'hand' | 'link'

type Client = ReturnType<typeof trpc.useUtils>['client']
type Entered = Awaited<ReturnType<Client['albums']['enterAsOwner']['mutate']>>

interface Tried {
  /** Of the page. */
  albumName: string
  key: string
  from: KeyFrom
}

/** Saves the owner key with which the visitor has entered, beside those of other albums. The key of a link that leads to
 *  another album than its own is not saved.
 *  @returns whether the key of the page's album is kept now */
export async function keepKey(
  client: Client,
  { albumName, key, from }: Tried,
  { album, email }: Entered,
): Promise<KeptKey> {
  const isThis = album.albumName === albumName
  if (from === 'link' && !isThis) return 'none'
  if (from === 'link' && (await opensWithFormer(client, albumName, key))) return 'kept'
  const isKept = keepAlbum({
    userEmail: email,
    eventName: album.displayName,
    userAlbumId: key,
    userAlbumSlug: album.albumName,
  })
  if (!isThis) return 'none'
  return isKept ? 'kept' : 'not-kept'
}

/** The link of a letter has another key than the one that the album was created with, which lasts longer. */
async function opensWithFormer(client: Client, albumName: string, key: string): Promise<boolean> {
  const former = readOrganiser(albumName)
  if (!former || former.userAlbumId === key) return false
  const entered = await client.albums.enterAsOwner
    .mutate({ ownerKey: former.userAlbumId })
    .catch(() => undefined)
  return entered?.album.albumName === albumName && keepAlbum(former)
}

/** The album that its owner has opened is the one in hand. */
export function takeInHand(albumName: string): void {
  const own = readOrganiser(albumName)
  if (own) keepAlbum(own)
}
