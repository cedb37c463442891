import { type ReactNode, useEffect, useRef, useState } from 'react'
import { SEARCH_RESULTS_SHOWN } from '../../../../src/contract/limits.ts'
import type { FoundPhoto } from '../../../../src/contract/search.ts'
import {
  resultsHeadings as headings,
  foundPhotos as texts,
} from '../../../../src/texts/english/search-results.ts'
import { Button } from '../../../ui/button.tsx'
import { PhotoGrid } from '../../photos/photo-grid.tsx'
import { photoIdOf } from '../../photos/photo-path.ts'
import { TakeHome, useChosen } from '../../photos/take-home/take-home.tsx'
import type { Found } from './found.ts'
import { useFound, useSearch } from './use-search.tsx'

interface FoundPhotosProps {
  /** The heading takes the focus, because it replaces what the visitor was using. */
  takesFocus: boolean
  /** What can be done next, beside the heading. */
  action: ReactNode
  /** What is below the heading. */
  children: ReactNode
}

/** The photos that feature the visitor, at most 18 at first, best match first. */
export function FoundPhotos({ takesFocus, action, children }: FoundPhotosProps) {
  const { seen } = useSearch()
  const found = useFound()
  const total = found.photos.length
  const isNew = (photo: FoundPhoto) => !seen.has(photoIdOf(photo.thumbUrl))
  const photos = found.person.isRemembered ? newFirst(found.photos, isNew) : found.photos
  const added = found.remembered?.photoIds.filter((id) => !seen.has(id)).length ?? 0
  const [limit, setLimit] = useState(SEARCH_RESULTS_SHOWN)
  const chosen = useChosen()
  const heading = useRef<HTMLHeadingElement>(null)
  const section = useRef<HTMLElement>(null)
  const shown = photos.slice(0, limit)
  const hidden = total - shown.length

  const showMore = () => setLimit(limit + SEARCH_RESULTS_SHOWN)

  // The results replace the form, and more results replace the button. So the focus moves to them.
  useEffect(() => {
    const firstNew = `[aria-posinset="${limit - SEARCH_RESULTS_SHOWN + 1}"] a`
    if (limit > SEARCH_RESULTS_SHOWN) section.current!.querySelector<HTMLElement>(firstNew)?.focus()
    else if (takesFocus) heading.current?.focus()
  }, [limit, takesFocus])

  return (
    <section ref={section} aria-labelledby="found">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
        <h2 id="found" ref={heading} tabIndex={-1} className="text-2xl font-bold tracking-tight outline-none">
          {resultsHeading(found, added)}
        </h2>
        {action}
      </div>
      {children}
      <p role="status" className="sr-only">
        {limit > SEARCH_RESULTS_SHOWN && texts.showing(shown.length, total)}
      </p>
      <TakeHome photos={photos} total={total} isLoadingMore={false} chosen={chosen} />
      <PhotoGrid photos={shown} total={total} chosen={chosen} onNearEnd={hidden > 0 ? showMore : undefined} />
      {hidden > 0 && (
        <p className="mt-6 text-center">
          <Button look="secondary" onClick={showMore}>
            {texts.showMore(hidden)}
          </Button>
        </p>
      )}
    </section>
  )
}

/** What the results are.
 *  @param added how many photos were not found at the last visit */
export function resultsHeading({ person, photos }: Found, added: number): string {
  const { isRemembered, other } = person
  const total = photos.length
  if (other) return other.combine === 'both' ? headings.foundBoth(total) : headings.foundEither(total)
  if (!isRemembered) return headings.found(total)
  return added > 0 ? headings.newSince(added) : headings.nothingNew
}

/** The photos that were not found at the last visit come first. */
export function newFirst<Photo>(photos: readonly Photo[], isNew: (photo: Photo) => boolean): Photo[] {
  return [...photos.filter(isNew), ...photos.filter((photo) => !isNew(photo))]
}
