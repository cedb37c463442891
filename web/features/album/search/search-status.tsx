import type { Progress } from '../../../../src/contract/albums/albums.ts'
import { searchablePhotos as texts } from '../../../../src/texts/english/album.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SelfieWaitNotice } from '../../photos/selfie-wait-notice.tsx'
import { useSearch } from './use-search.tsx'

/** Says that a search is under way, or why it waits and until when. */
export function SearchStatus({ searching }: { searching: string }) {
  const { state, stopWaiting } = useSearch()
  const { now } = state
  return (
    <div role="status" className="empty:m-0">
      {now.step === 'searching' &&
        (now.wait ? (
          <SelfieWaitNotice {...now.wait} onCancel={stopWaiting} />
        ) : (
          <span className="sr-only">{searching}</span>
        ))}
    </div>
  )
}

/** Says how much of an album a search covers, and offers the photos that were added since. Nothing when it covers all. */
export function Coverage({ progress }: { progress: Progress }) {
  const { state, links } = useSearch()
  const { totalPhotos, photosIndexedToRekognition: ready, isCompleted } = progress
  const searched = state.found?.among
  if (searched === undefined)
    return isCompleted ? null : <Notice>{texts.soFarPreparing(ready, totalPhotos)}</Notice>
  const added = ready - searched
  if (added <= 0 && isCompleted) return null
  return (
    <Notice>
      <p className="tabular-nums">
        <span>{texts.covered(searched, totalPhotos)}</span> {added <= 0 && <span>{texts.preparing}</span>}
      </p>
      {added > 0 && (
        <Button
          look="secondary"
          className="mt-3 max-sm:w-full"
          disabled={state.isRenewing}
          busy={state.isRenewing}
          onClick={links.onRetry}
        >
          {texts.searchMore(added)}
        </Button>
      )}
    </Notice>
  )
}
