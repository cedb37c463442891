import { useEffect, useRef, useState } from 'react'
import { PHOTO_LINK_LIFETIME_MS } from '../../../src/contract/limits.ts'
import type { ResultPhoto } from '../../../src/contract/submissions.ts'
import { trackPhotoDownloaded } from '../../lib/analytics.ts'
import { countOf } from '../../lib/format.ts'
import { DownloadIcon, PhotosIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const GRID = 'grid grid-cols-1 gap-3 sm:grid-cols-2 md:grid-cols-3 lg:grid-cols-4'
const TILE = 'aspect-[4/3] overflow-hidden rounded-lg bg-sunken'
/** Those that the first screen shows. */
const AT_ONCE = 8

export interface ResultsGalleryProps {
  total: number
  /** Missing while the full list is on its way. */
  photos: readonly ResultPhoto[] | undefined
}

export function ResultsGallery({ total, photos }: ResultsGalleryProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // They take the place of the waiting: reading goes on at their top.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])

  return (
    <>
      <header className="mb-8">
        <h1 ref={heading} tabIndex={-1} className="text-title font-bold outline-none">
          Here are your detected photos.
        </h1>
        <p className="mt-2 text-lg text-ink-soft">
          <span>We found {countOf(total, 'photo')} of you.</span>
          {!photos && <span> (Loading photos...)</span>}
        </p>
      </header>
      {photos ? (
        <ul className={GRID}>
          {photos.map((photo, index) => (
            <Tile key={photo.url} photo={photo} isEager={index < AT_ONCE} />
          ))}
        </ul>
      ) : (
        <div role="status">
          <p className="mb-4 text-ink-soft">Loading your photos...</p>
          <div className={GRID}>
            {Array.from({ length: AT_ONCE }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: all alike, and their number never changes.
              <Skeleton key={index} className={TILE} />
            ))}
          </div>
        </div>
      )}
      <p className="mt-10 border-t border-line pt-6 text-ink-soft">
        Thank you for using Inframe. Selfies are deleted after processing, and so are these results: please
        download the photos you like before you close this page.
      </p>
    </>
  )
}

function Tile({ photo, isEager }: { photo: ResultPhoto; isEager: boolean }) {
  const [isBroken, setIsBroken] = useState(false)
  return (
    <li className={`group relative ${TILE}`}>
      <a
        href={photo.url}
        target="_blank"
        rel="noopener"
        className="block size-full -outline-offset-4"
        aria-label={`Open ${photo.filename} at full size in a new tab`}
      >
        {isBroken ? (
          <span className="flex size-full flex-col items-center justify-center gap-2 p-4 text-center text-sm text-ink-soft">
            <PhotosIcon className="size-8" />
            No preview of {photo.filename}
          </span>
        ) : (
          <img
            src={photo.thumbUrl}
            alt=""
            loading={isEager ? 'eager' : 'lazy'}
            decoding="async"
            onError={() => setIsBroken(true)}
            className="size-full object-cover transition-transform duration-300 ease-settle group-hover:scale-[1.03]"
          />
        )}
      </a>
      <a
        href={photo.downloadUrl}
        download={photo.filename}
        aria-label={`Download ${photo.filename}`}
        onClick={trackPhotoDownloaded}
        className="absolute right-2 bottom-2 inline-flex min-h-11 items-center gap-2 rounded-full bg-black/70 px-4 text-[0.9375rem] font-semibold text-white transition-opacity hover:bg-black focus-visible:opacity-100 pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100"
      >
        <DownloadIcon />
        Download
      </a>
    </li>
  )
}

/** Whether addresses that were made then (ms since 1970) have ended while the page was open. */
export function useLinksExpired(since: number | undefined): boolean {
  const [isExpired, setIsExpired] = useState(false)
  useEffect(() => {
    if (since === undefined) return
    const end = since + PHOTO_LINK_LIFETIME_MS
    const timer = setTimeout(() => setIsExpired(true), end - Date.now())
    // Timers stand still while a phone sleeps.
    const look = () => setIsExpired(Date.now() >= end)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [since])
  return isExpired
}
