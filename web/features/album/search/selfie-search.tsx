import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { Progress } from '../../../../src/contract/albums.ts'
import { common, keptSearch, remembered, selfieSearch as texts } from '../../../../src/texts/english.ts'
import { usePreload } from '../../../lib/on-demand.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PhotoGridSkeleton } from '../../photos/photo-grid-skeleton.tsx'
import { personRemembered } from './found.ts'
import { SearchForm } from './search-form.tsx'
import { Coverage } from './search-status.tsx'
import { isSearching } from './state.ts'
import { COLUMNS_ON_PHONES, SearchResults, useSearch } from './use-search.tsx'

export interface SelfieSearchProps {
  /** How many photos can be found. */
  progress: Progress
  /** What a visitor can do instead of a search. */
  instead: ReactNode
  /** What is beside the search, or below its results. */
  aside: ReactNode
}

/** The search by selfies, or what it has found. */
export default function SelfieSearch({ progress, instead, aside }: SelfieSearchProps) {
  usePreload([SearchResults])
  const { state, beginAsBefore } = useSearch()
  const { now, found, isAdding } = state
  const begin = useEffectEvent(beginAsBefore)
  useEffect(() => begin(), [])
  const [hadResults, setHadResults] = useState(false)
  const hasResults = found !== null && !isAdding
  if (hasResults && !hadResults) setHadResults(true)

  if (hasResults)
    return (
      <div className="space-y-10">
        <Coverage progress={progress} />
        {/* Another search starts with a fresh state. */}
        <SearchResults key={found.search} />
        <div className="mx-auto max-w-read space-y-6">
          {instead}
          {aside}
        </div>
      </div>
    )

  if (now.step === 'searching' && now.person.selfies.length === 0) return <LookingForYou />

  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-8">
      <section aria-label={texts.label} className="space-y-4">
        <Coverage progress={progress} />
        <FormerSearch />
        <SearchForm isBack={hadResults} />
        {instead}
      </section>
      {aside}
    </div>
  )
}

/** While the photos of a visitor who has come back are searched for. */
function LookingForYou() {
  return (
    <section aria-busy="true">
      <div role="status">
        <h2 className="mb-5 text-2xl font-bold tracking-tight">{remembered.looking}</h2>
      </div>
      <PhotoGridSkeleton columns={COLUMNS_ON_PHONES} />
    </section>
  )
}

/** Above the form: why the results that this tab showed are gone, the way back to them, or to the photos of a visitor whom
 *  this browser remembers. */
function FormerSearch() {
  const { state, begin, forgetMe } = useSearch()
  const { now, remembered: kept } = state
  const failed = now.step === 'failed' && now.person.selfies.length === 0 ? now.person : undefined
  const over = now.step === 'no selfie' ? now.over : undefined
  const isBusy = isSearching(state)
  return (
    <>
      <div role="status" className="empty:m-0">
        {over?.why !== undefined && <Notice title={keptSearch.over}>{over.why}</Notice>}
        {failed && !failed.isRemembered && (
          <Notice title={keptSearch.notLoaded}>
            <Button look="secondary" className="mt-3" onClick={() => begin(failed)}>
              {common.tryAgain}
            </Button>
          </Notice>
        )}
      </div>
      {over && over.why === undefined && (
        <Notice title={remembered.notRemembered}>{remembered.notRememberedText}</Notice>
      )}
      {kept && (
        <Notice title={failed?.isRemembered ? remembered.notLoaded : remembered.isRemembered}>
          <div className="mt-3 flex flex-wrap gap-3">
            <Button
              look="secondary"
              disabled={isBusy}
              onClick={() => begin(personRemembered(kept.searchToken))}
            >
              {failed?.isRemembered ? common.tryAgain : remembered.show}
            </Button>
            <Button look="quiet" disabled={isBusy} onClick={forgetMe}>
              {remembered.forget}
            </Button>
          </div>
        </Notice>
      )}
    </>
  )
}
