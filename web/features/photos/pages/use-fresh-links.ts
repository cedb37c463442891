import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import type { PhotoLoading } from '../grid/photo-tile.tsx'
import { renewAfterFailure, usePhotoLinks, whenRefused } from '../use-photo-links.ts'

interface Links {
  /** When they were issued, ms since 1970. */
  issued: number | undefined
  /** One of the photos; undefined while there are none. */
  photo: Pick<ResultPhoto, 'thumbUrl'> | undefined
  isRenewing: boolean
  renew: () => void
}

/** Renews the addresses of photos before they expire, and when the service refuses them.
 *  @returns what a grid says and asks about them */
export function useFreshLinks({ issued, photo, isRenewing, renew }: Links) {
  usePhotoLinks(photo && issued, renew)
  return {
    issued,
    isRenewing,
    onFail: () => renewAfterFailure(issued, photo, renew),
    onDownload: () => void whenRefused(photo, renew),
    onRetry: renew,
  } satisfies PhotoLoading
}
