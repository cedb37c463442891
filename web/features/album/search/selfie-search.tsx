import { type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { Progress } from '../../../../src/contract/albums/albums.ts'
import { searchablePhotos } from '../../../../src/texts/english/album.ts'
import { searchForm, selfieSearch as texts } from '../../../../src/texts/english/search.ts'
import { lazyPart, orNothing, usePreload } from '../../../lib/lazy-part.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SelfieWaitNotice } from '../../photos/selfie-wait-notice.tsx'
import { SearchForm } from './search-form.tsx'
import { SearchResults, useSearch } from './use-search.tsx'

const FormerSearch = lazyPart(() => import('./former-search.tsx').catch(orNothing))

export interface SelfieSearchProps {
  /** How many photos can be found. */
  progress: Progress
  facesEndDays: number
  /** What a visitor can do instead of a search. */
  instead: ReactNode
  /** What is beside the search, or below its results. */
  aside: ReactNode
}

/** The search by selfies, or what it has found. */
export default function SelfieSearch({ progress, facesEndDays, instead, aside }: SelfieSearchProps) {
  usePreload(SearchResults)
  const { state, beginAsBefore } = useSearch()
  const { now, found } = state
  const begin = useEffectEvent(beginAsBefore)
  useEffect(() => begin(), [])
  const [hadResults, setHadResults] = useState(false)
  const hasResults = found !== null && !state.isAdding
  if (hasResults && !hadResults) setHadResults(true)

  if (hasResults)
    return (
      <div className="space-y-10">
        <Coverage progress={progress} />
        <SearchStatus />
        {/* Another search starts with a fresh state. */}
        <SearchResults key={state.search} />
        <div className="mx-auto max-w-read space-y-6">
          {instead}
          {aside}
        </div>
      </div>
    )

  const isBack = 'person' in now && now.person.selfies.length === 0
  if (isBack && now.step === 'searching' && !now.wait)
    return (
      <Suspense>
        <FormerSearch />
      </Suspense>
    )

  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-8">
      <section aria-label={texts.label} className="space-y-4">
        {/* The form is not drawn before what is above it, so that it does not move while code loads. */}
        <Suspense>
          <Coverage progress={progress} />
          {(isBack || state.remembered || 'over' in now) && <FormerSearch />}
          <SearchStatus />
          <SearchForm isBack={hadResults} />
          <p className="text-sm text-ink-soft">{texts.facesEnd(facesEndDays)}</p>
          {instead}
        </Suspense>
      </section>
      {aside}
    </div>
  )
}

/** Says that a search is under way, or why it waits and until when. */
function SearchStatus() {
  const { state, stopWaiting } = useSearch()
  const { now } = state
  return (
    <div role="status" className="empty:m-0">
      {now.step === 'searching' &&
        (now.wait ? (
          <SelfieWaitNotice {...now.wait} onCancel={stopWaiting} />
        ) : (
          <span className="sr-only">{searchForm.searchingAlbum}</span>
        ))}
    </div>
  )
}

/** Says how much of an album a search covers, and offers the photos that were added since. Nothing when it covers all. */
function Coverage({ progress }: { progress: Progress }) {
  const { state, renew } = useSearch()
  const { totalPhotos, photosIndexedToRekognition: ready, isCompleted } = progress
  const searched = state.found?.among
  if (searched === undefined)
    return isCompleted ? null : <Notice>{searchablePhotos.soFarPreparing(ready, totalPhotos)}</Notice>
  const added = ready - searched
  if (added <= 0 && isCompleted) return null
  return (
    <Notice>
      <p className="tabular-nums">
        <span>{searchablePhotos.covered(searched, totalPhotos)}</span>{' '}
        {added <= 0 && <span>{searchablePhotos.preparing}</span>}
      </p>
      {added > 0 && (
        <Button
          look="secondary"
          className="mt-3 max-sm:w-full"
          disabled={state.isRenewing}
          busy={state.isRenewing}
          onClick={renew}
        >
          {searchablePhotos.searchMore(added)}
        </Button>
      )}
    </Notice>
  )
}
