import { Link, useElementScrollRestoration } from '@tanstack/react-router'
import { useEffect } from 'react'
import { resultsGallery as texts } from '../../../src/texts/english/submissions.ts'
import * as common from '../../../src/texts/english/words.ts'
import { takeFocus } from '../../lib/focus.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { Notice } from '../../ui/notice.tsx'
import { PhotoGrid } from '../photos/photo-grid.tsx'
import { PhotoGridSkeleton } from '../photos/photo-grid-skeleton.tsx'
import { TakeHome } from '../photos/take-home/take-home.tsx'
import { useChosen } from '../photos/take-home/use-chosen.ts'
import { whenRefused } from '../photos/use-photo-links.ts'
import { COLUMNS_ON_PHONES, type FoundState, type ListFailure } from './use-results.ts'

export interface ResultsGalleryProps extends FoundState {
  /** The addresses of the photos have ended. */
  onRefused: () => void
}

export function ResultsGallery({
  id,
  total,
  photos,
  issued,
  isLoading,
  listFailure,
  onRefused,
}: ResultsGalleryProps) {
  const chosen = useChosen()
  const checkAddresses = () => void whenRefused(photos?.[0], onRefused)
  useKeptScroll(photos !== undefined)

  return (
    <>
      <header className="mb-6">
        {/* The results replace the waiting page. */}
        <h1 ref={takeFocus} tabIndex={-1} className="text-title font-bold outline-none">
          {texts.title}
        </h1>
        <p className="mt-2 text-lg text-ink-soft">
          <span>{texts.found(total)}</span>
          {isLoading && <span> {texts.loadingPhotos}</span>}
        </p>
      </header>
      {photos && <Notice className="mb-6">{texts.downloadNow}</Notice>}
      {photos && (
        <>
          {/* Photos that were removed meanwhile are missing in the list. */}
          <TakeHome
            photos={photos}
            total={isLoading ? total : photos.length}
            isLoadingMore={isLoading}
            chosen={chosen}
            submissionId={id}
            onFail={checkAddresses}
          />
          <PhotoGrid
            photos={photos}
            total={total}
            columns={COLUMNS_ON_PHONES}
            issued={issued}
            chosen={chosen}
            onFail={checkAddresses}
            onDownload={checkAddresses}
          />
        </>
      )}
      {isLoading && !photos && (
        <div role="status">
          <p className="mb-4 text-ink-soft">{texts.loadingYourPhotos}</p>
          <PhotoGridSkeleton columns={COLUMNS_ON_PHONES} />
        </div>
      )}
      {listFailure && <ListNotLoaded {...listFailure} />}
    </>
  )
}

/** Scrolls to where the visitor was when they left the page, as soon as the photos are there again. The router
 *  scrolls too early, while the page is still short.
 *  @param isHigh whether the photos are there */
function useKeptScroll(isHigh: boolean): void {
  const top = useElementScrollRestoration({ getElement: () => window })?.scrollY
  useEffect(() => {
    if (!isHigh || !top) return
    // The grid has its height when it has been drawn once.
    const frame = requestAnimationFrame(() => window.scrollTo({ top, behavior: 'instant' }))
    return () => cancelAnimationFrame(frame)
  }, [isHigh, top])
}

function ListNotLoaded({ message, isGone, reload }: ListFailure) {
  return (
    <Notice tone="error" title={texts.notLoaded}>
      <p>{message}</p>
      {isGone && <p>{texts.deleted}</p>}
      <div className="mt-4">
        {isGone ? (
          <Link to="/selfie" className={buttonLook('secondary')}>
            {common.startNewSearch}
          </Link>
        ) : (
          <Button look="secondary" onClick={reload}>
            {texts.load}
          </Button>
        )}
      </div>
    </Notice>
  )
}
