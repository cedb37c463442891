import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { ResultPhoto } from '../../../src/contract/submissions.ts'
import { countOf } from '../../lib/format.ts'
import { Button, buttonLook } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PhotoGrid, PhotoGridSkeleton } from '../photos/photo-grid.tsx'
import type { ListFailure } from './use-results.ts'

export interface ResultsGalleryProps {
  total: number
  /** Missing until the full list has loaded. */
  photos: readonly ResultPhoto[] | undefined
  /** When the photos' addresses were issued, ms since 1970. */
  issued: number | undefined
  /** Why the full list did not load. */
  listFailure: ListFailure | null
}

export function ResultsGallery({ total, photos, issued, listFailure }: ResultsGalleryProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The results replace the waiting page, so the focus moves to their heading.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const isLoading = !photos && !listFailure

  return (
    <>
      <header className="mb-6">
        <h1 ref={heading} tabIndex={-1} className="text-title font-bold outline-none">
          Here are your detected photos.
        </h1>
        <p className="mt-2 text-lg text-ink-soft">
          <span>We found {countOf(total, 'photo')} of you.</span>
          {isLoading && <span> (Loading photos...)</span>}
        </p>
      </header>
      {photos && (
        <Notice className="mb-6">
          Please download the photos you like now. For your privacy, we delete these results 30 seconds after
          they appear. They stay on this page, but a reload will not bring them back.
        </Notice>
      )}
      {photos && <PhotoGrid photos={photos} columns={1} issued={issued} />}
      {isLoading && (
        <div role="status">
          <p className="mb-4 text-ink-soft">Loading your photos...</p>
          <PhotoGridSkeleton columns={1} />
        </div>
      )}
      {listFailure && <ListNotLoaded {...listFailure} />}
      <p className="mt-10 border-t border-line pt-6 text-ink-soft">
        Thank you for using Inframe. Selfies are deleted after processing, and so are these results.
      </p>
    </>
  )
}

function ListNotLoaded({ message, isGone, reload }: ListFailure) {
  return (
    <Notice tone="error" title="The photos could not be loaded">
      <p>{message}</p>
      {isGone && <p>These results have been deleted. A new search finds your photos again.</p>}
      <div className="mt-4">
        {isGone ? (
          <Link to="/selfie" className={buttonLook('secondary')}>
            Start New Search
          </Link>
        ) : (
          <Button look="secondary" onClick={reload}>
            Load the photos
          </Button>
        )}
      </div>
    </Notice>
  )
}
