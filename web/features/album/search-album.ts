import type { SearchOutput } from '../../../src/contract/search.ts'
import { postMultipart } from '../../lib/multipart.ts'
import type { ToastContent } from '../../ui/toast-store.ts'

export function searchAlbum(albumName: string, selfie: File): Promise<SearchOutput> {
  const form = new FormData()
  // The name comes first: the service reads the body as it arrives.
  form.append('albumName', albumName)
  form.append('photo', selfie, selfie.name)
  return postMultipart<SearchOutput>('/api/search-in-album', form)
}

/** The toast of §8 for a search that failed. */
export function searchFailure(error: unknown): ToastContent {
  const message = (error instanceof Error && error.message) || 'Search failed'
  return /no (photos|matches) found/i.test(message)
    ? {
        title: 'No photos detected',
        description: 'No photos were detected of you in this album. Try uploading a clearer selfie.',
      }
    : { title: 'Search failed', description: message, tone: 'error' }
}
