import { type ReactNode, useEffect, useRef, useState } from 'react'
import { SEARCH_RESULTS_SHOWN } from '../../../src/contract/limits.ts'
import type { MatchedPhoto } from '../../../src/contract/search.ts'
import { trackPhotoDownloaded } from '../../lib/analytics.ts'
import { countOf, formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { PhotoThumb } from '../photos/photo-thumb.tsx'

/** Photos of the first rows, which a screen shows without scrolling. */
const SEEN_AT_ONCE = 8

export interface FoundPhotosProps {
  photos: readonly MatchedPhoto[]
  /** When the photos' addresses were given out. */
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
  const { photos, issued, isRenewing, onFail, onRetry, action } = props
  const [limit, setLimit] = useState(SEARCH_RESULTS_SHOWN)
  const heading = useRef<HTMLHeadingElement>(null)
  const firstNew = useRef<HTMLAnchorElement>(null)
  const shown = photos.slice(0, limit)
  const hidden = photos.length - shown.length
  const firstNewIndex = limit - SEARCH_RESULTS_SHOWN

  // The results take the place of the form, and more of them that of the button: reading goes on there.
  useEffect(() => {
    if (limit === SEARCH_RESULTS_SHOWN) heading.current?.focus()
    else firstNew.current?.focus()
  }, [limit])

  return (
    <section aria-labelledby="found">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
        <h2 id="found" ref={heading} tabIndex={-1} className="text-2xl font-bold tracking-tight outline-none">
          Found {countOf(photos.length, 'Photo')}!
        </h2>
        {action}
      </div>
      <p role="status" className="sr-only">
        {limit > SEARCH_RESULTS_SHOWN &&
          `Showing ${formatNumber(shown.length)} of ${countOf(photos.length, 'photo')}`}
      </p>
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3 sm:gap-3 lg:grid-cols-4">
        {shown.map((photo, index) => (
          <li
            key={photoOf(photo)}
            className="group animate-rise"
            style={{ animationDelay: `${(index % SEARCH_RESULTS_SHOWN) * 30}ms` }}
          >
            <PhotoThumb
              src={photo.thumbUrl}
              alt=""
              filename={photo.filename}
              eager={index < SEEN_AT_ONCE}
              issued={issued}
              renewing={isRenewing}
              onFail={onFail}
              onRetry={onRetry}
              className="aspect-square rounded-lg"
            >
              <a
                ref={index === firstNewIndex ? firstNew : undefined}
                href={photo.url}
                target="_blank"
                rel="noopener"
                className="absolute inset-0 rounded-lg -outline-offset-4"
              >
                <span className="sr-only">Open {photo.filename} at full size in a new tab</span>
              </a>
              <a
                href={photo.downloadUrl}
                download={photo.filename}
                onClick={trackPhotoDownloaded}
                className="absolute right-2 bottom-2 grid size-11 place-items-center rounded-full bg-black/65 text-white outline-offset-0 transition-opacity hover:bg-black focus-visible:opacity-100 pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100"
              >
                <DownloadIcon />
                <span className="sr-only">Download {photo.filename}</span>
              </a>
            </PhotoThumb>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <p className="mt-6 text-center">
          <Button look="secondary" onClick={() => setLimit(limit + SEARCH_RESULTS_SHOWN)}>
            Show more ({formatNumber(hidden)} left)
          </Button>
        </p>
      )}
    </section>
  )
}

/** What stays the same of a photo when its addresses are renewed. */
function photoOf({ url }: MatchedPhoto): string {
  return new URL(url).pathname
}
