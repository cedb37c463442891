import { useEffect, useState } from 'react'
import { type Organiser, saveAlbumSlug } from '../../lib/saved-values.ts'
import { trpc } from '../../trpc.ts'

/** An album's name in its address. Older versions did not save it; then the service is asked. Undefined until the answer
 *  comes, and when the call fails. */
export function useAlbumSlug({ userAlbumId, userAlbumSlug }: Organiser): string | undefined {
  const [answered, setAnswered] = useState<string>()
  const { client } = trpc.useUtils()

  useEffect(() => {
    if (userAlbumSlug) return
    client.albums.enterAsOwner.mutate({ ownerKey: userAlbumId }).then(
      ({ album }) => {
        saveAlbumSlug(album.albumName)
        setAnswered(album.albumName)
      },
      (error) => console.warn('The address of the album is not known', error),
    )
  }, [userAlbumId, userAlbumSlug, client])

  return userAlbumSlug ?? answered
}
