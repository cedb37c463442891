import { type ReactNode, useEffect, useRef, useState } from 'react'
import { SEARCH_RESULTS_SHOWN } from '../../../src/contract/limits.ts'
import type { MatchedPhoto } from '../../../src/contract/search.ts'
import { countOf, formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { PhotoGrid } from '../photos/photo-grid.tsx'

export interface FoundPhotosProps {
  /** Those that have been loaded, best match first. */
  photos: readonly MatchedPhoto[]
  /** How many there are, with those that have not been loaded. */
  total: number
  /** Loads more photos. Resolves to false when that has failed. */
  loadMore: () => Promise<boolean>
  isLoadingMore: boolean
  /** When the photos' addresses were issued, ms since 1970. */
  issued: number | undefined
  /** Whether fresh addresses are on their way. */
  isRenewing: boolean
  /** A photo did not load. */
  onFail: () => void
  /** The visitor asks for a photo that did not load again. */
  onRetry: () => void
  /** What can be done next, beside the heading. */
  action: ReactNode
}

/** The photos that feature the visitor, at most 18 at first, best match first. */
export function FoundPhotos(props: FoundPhotosProps) {
  const { photos, total, loadMore, isLoadingMore, issued, isRenewing, onFail, onRetry, action } = props
  const [limit, setLimit] = useState(SEARCH_RESULTS_SHOWN)
  const heading = useRef<HTMLHeadingElement>(null)
  const firstNew = useRef<HTMLAnchorElement>(null)
  const shown = photos.slice(0, limit)
  const hidden = total - shown.length

  async function showMore() {
    if (isLoadingMore) return
    const next = limit + SEARCH_RESULTS_SHOWN
    if (photos.length >= Math.min(next, total) || (await loadMore())) setLimit(next)
  }

  // The results replace the form, and more results replace the button. So the focus moves to them.
  useEffect(() => {
    if (limit === SEARCH_RESULTS_SHOWN) heading.current?.focus()
    else firstNew.current?.focus()
  }, [limit])

  return (
    <section aria-labelledby="found">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
        <h2 id="found" ref={heading} tabIndex={-1} className="text-2xl font-bold tracking-tight outline-none">
          Found {countOf(total, 'Photo')}!
        </h2>
        {action}
      </div>
      <p role="status" className="sr-only">
        {limit > SEARCH_RESULTS_SHOWN &&
          `Showing ${formatNumber(shown.length)} of ${countOf(total, 'photo')}`}
      </p>
      <PhotoGrid
        photos={shown}
        columns={2}
        issued={issued}
        isRenewing={isRenewing}
        onFail={onFail}
        onRetry={onRetry}
        marked={{ index: limit - SEARCH_RESULTS_SHOWN, ref: firstNew }}
      />
      {hidden > 0 && (
        <p className="mt-6 text-center">
          {/* While it loads, it is not disabled: it would lose the keyboard's focus. */}
          <Button look="secondary" busy={isLoadingMore} onClick={() => void showMore()}>
            {isLoadingMore ? 'Loading...' : `Show more (${formatNumber(hidden)} left)`}
          </Button>
        </p>
      )}
    </section>
  )
}
