import type { Progress } from '../../../src/contract/albums.ts'
import { searchablePhotos as texts } from '../../../src/texts/english/album.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SearchIcon } from '../../ui/more-icons.tsx'

/** The way to the search while the album is still being processed. It is there as soon as one photo can be found. */
export function SearchOffer({ progress, onSearch }: { progress: Progress; onSearch: () => void }) {
  return (
    <Card aria-labelledby="search-offer">
      <h2 id="search-offer" className="text-heading font-semibold">
        {texts.offer}
      </h2>
      <p className="mt-1 text-ink-soft tabular-nums">
        {texts.soFar(progress.photosIndexedToRekognition, progress.totalPhotos)}
      </p>
      <Button className="mt-4 max-sm:w-full" onClick={onSearch}>
        <SearchIcon />
        {texts.search}
      </Button>
    </Card>
  )
}
