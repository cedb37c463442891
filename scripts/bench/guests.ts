import type { EnteredAlbum } from '../../src/contract/albums.ts'
import { createRestClient } from '../rest-client.ts'
import type { Destination } from './uploading.ts'

/** Enters an album in new sessions with its password.
 *  @param albumName as in its link; the first album of a service is `bench`
 *  @returns the album's public id, and the sessions' cookies */
export async function enterAsGuests(
  { url, ownerKey }: Destination,
  guests: number,
  albumName = 'bench',
): Promise<{ albumId: string; cookies: string[] }> {
  const owner = createRestClient(url)
  await owner.post('/trpc/albums.enterAsOwner', { ownerKey })
  const { album } = await owner.get<{ album: EnteredAlbum }>(`/api/albums/by-name/${albumName}`)
  const enter = async () => {
    const entered = await fetch(`${url}/api/albums/${albumName}/authenticate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: album.albumPassword }),
    })
    await entered.arrayBuffer()
    return entered.headers.getSetCookie()[0]!.split(';')[0]!
  }
  return { albumId: album.id, cookies: await Promise.all(Array.from({ length: guests }, enter)) }
}
