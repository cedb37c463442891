import { PHOTOS_LOADED_AT_ONCE } from '../../../../src/contract/limits.ts'
import { failureOf } from '../../../lib/failure.ts'
import { trpc } from '../../../trpc.ts'
import { usePhotoPages } from '../../photos/pages/use-photo-pages.ts'

interface BrowseEvents {
  /** The password is needed again. */
  onSessionEnded: () => void
  /** The album has been erased. */
  onGone: () => void
}

/** All photos of an album, a page at a time. */
export function useBrowse(albumName: string, { onSessionEnded, onGone }: BrowseEvents) {
  const { client } = trpc.useUtils()
  const list = usePhotoPages(['all photos', albumName], async (cursor) => {
    try {
      return await client.albums.browse.query({ albumName, limit: PHOTOS_LOADED_AT_ONCE, cursor })
    } catch (error) {
      // A visitor who enters again sees the same pages, and they get fresh addresses.
      if (failureOf(error)?.status === 401) onSessionEnded()
      if (failureOf(error)?.status === 404) onGone()
      throw error
    }
  })
  return {
    ...list,
    // With all pages loaded, the total is the number of loaded photos, even if some were erased meanwhile.
    total: (list.hasMore ? list.pages?.at(-1)?.totalPhotos : list.photos?.length) ?? 0,
    /** The organiser has not opened all photos to guests. */
    isClosed: failureOf(list.error)?.status === 403,
  }
}
