import type { Progress } from '../../../src/contract/albums.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SearchIcon } from '../../ui/more-icons.tsx'
import { Notice } from '../../ui/notice.tsx'

/** '1,240 of 3,000 photos' */
function part(count: number, { totalPhotos }: Progress): string {
  return `${formatNumber(count)} of ${formatNumber(totalPhotos)} photos`
}

/** The way to the search while the album is still being processed. It is there as soon as one photo can be found. */
export function SearchOffer({ progress, onSearch }: { progress: Progress; onSearch: () => void }) {
  return (
    <Card aria-labelledby="search-offer">
      <h2 id="search-offer" className="text-heading font-semibold">
        You can search already
      </h2>
      <p className="mt-1 text-ink-soft tabular-nums">
        {part(progress.photosIndexedToRekognition, progress)} so far. Search again later for the others.
      </p>
      <Button className="mt-4 max-sm:w-full" onClick={onSearch}>
        <SearchIcon />
        Search these photos
      </Button>
    </Card>
  )
}

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
    return progress.isCompleted ? null : (
      <Notice>{part(ready, progress)} so far. The others are being prepared.</Notice>
    )
  const added = ready - searched
  if (added <= 0 && progress.isCompleted) return null
  return (
    <Notice>
      <p className="tabular-nums">
        This search covered {part(searched, progress)}.{added <= 0 && ' The others are being prepared.'}
      </p>
      {added > 0 && (
        <Button
          look="secondary"
          className="mt-3 max-sm:w-full"
          disabled={isSearching}
          busy={isSearching}
          onClick={onSearchRest}
        >
          Search {formatNumber(added)} more
        </Button>
      )}
    </Notice>
  )
}
