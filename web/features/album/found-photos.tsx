import { type ReactNode, useEffect, useRef, useState } from 'react'
import { SEARCH_RESULTS_SHOWN } from '../../../src/contract/limits.ts'
import type { MatchedPhoto } from '../../../src/contract/search.ts'
import { countOf, formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'

/** The photos that feature the visitor, at most 18 at first, best match first. */
export function FoundPhotos({ photos, action }: { photos: readonly MatchedPhoto[]; action: ReactNode }) {
  const [limit, setLimit] = useState(SEARCH_RESULTS_SHOWN)
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = photos.slice(0, limit)
  const hidden = photos.length - shown.length

  // The results take the place of the form: reading goes on at their top.
  useEffect(() => heading.current?.focus(), [])

  return (
    <section aria-labelledby="found">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
        <h2 id="found" ref={heading} tabIndex={-1} className="text-2xl font-bold tracking-tight outline-none">
          Found {countOf(photos.length, 'Photo')}!
        </h2>
        {action}
      </div>
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3 sm:gap-3 lg:grid-cols-4">
        {shown.map((photo, index) => (
          <li
            key={photo.url}
            className="group relative aspect-square animate-rise overflow-hidden rounded-lg bg-sunken"
            style={{ animationDelay: `${Math.min(index, SEARCH_RESULTS_SHOWN) * 30}ms` }}
          >
            <a
              href={photo.url}
              target="_blank"
              rel="noopener"
              className="block size-full -outline-offset-4"
              aria-label={`Open ${photo.filename} at full size in a new tab`}
            >
              <img
                src={photo.thumbUrl}
                alt=""
                loading={index < 6 ? 'eager' : 'lazy'}
                decoding="async"
                className="size-full object-cover transition-transform duration-300 ease-settle group-hover:scale-[1.03]"
              />
            </a>
            <a
              href={photo.downloadUrl}
              download={photo.filename}
              aria-label={`Download ${photo.filename}`}
              className="absolute right-2 bottom-2 grid size-11 place-items-center rounded-full bg-black/65 text-white outline-offset-0 transition-opacity hover:bg-black focus-visible:opacity-100 pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100"
            >
              <DownloadIcon />
            </a>
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
