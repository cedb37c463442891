import type { AlbumSettings } from '../../../../src/contract/albums/album-settings.ts'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { trpc } from '../../../trpc.ts'

/** @returns puts what the service has answered into the album that the page shows */
export function useShownAlbum(albumName: string) {
  const { albums } = trpc.useUtils()
  return (changes: Partial<EnteredAlbum>) =>
    albums.visit.setData(
      { albumName },
      (visit) => visit && { ...visit, album: visit.album && { ...visit.album, ...changes } },
    )
}

/** The settings of an album, and what saves some of them. The answer has all of them as they are now, so that what another desk
 *  has changed is seen, too. */
export function useSettings(album: EnteredAlbum, onRefused?: (error: unknown) => void) {
  const { albums } = trpc.useUtils()
  const { id, albumName } = album
  const show = useShownAlbum(albumName)
  const { mutate, variables, isPending, error } = trpc.albums.changeSettings.useMutation({
    onSuccess(settings) {
      show(settings)
      // Also the cover has a new address.
      void albums.visit.invalidate({ albumName })
      void albums.listPage.invalidate()
    },
    // Another desk may have changed what this one shows.
    onError(refusal) {
      onRefused?.(refusal)
      void albums.visit.invalidate({ albumName })
    },
  })
  return {
    /** With what is being saved. */
    shown: { ...album, ...(isPending && variables) } as EnteredAlbum,
    save: (changes: Partial<AlbumSettings>) => mutate({ id, ...changes }),
    isPending,
    error,
  }
}
