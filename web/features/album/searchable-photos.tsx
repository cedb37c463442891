import type { Progress } from '../../../src/contract/albums.ts'
import { searchablePhotos as texts } from '../../../src/texts/english/album.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

export interface SearchableNoticeProps {
  progress: Progress
  /** How many photos could be found when the search began whose result is shown. */
  searched: number | undefined
  isSearching: boolean
  /** Searches again with the same selfie. */
  onSearchRest: () => void
}

/** Says how much of an album a search covers, and offers the photos that were added since. Nothing when it covers all. */
export function SearchableNotice({ progress, searched, isSearching, onSearchRest }: SearchableNoticeProps) {
  const ready = progress.photosIndexedToRekognition
  if (searched === undefined)
    return progress.isCompleted ? null : <Notice>{texts.soFarPreparing(ready, progress.totalPhotos)}</Notice>
  const added = ready - searched
  if (added <= 0 && progress.isCompleted) return null
  return (
    <Notice>
      <p className="tabular-nums">
        {texts.covered(searched, progress.totalPhotos)} {added <= 0 && texts.preparing}
      </p>
      {added > 0 && (
        <Button
          look="secondary"
          className="mt-3 max-sm:w-full"
          disabled={isSearching}
          busy={isSearching}
          onClick={onSearchRest}
        >
          {texts.searchMore(added)}
        </Button>
      )}
    </Notice>
  )
}
