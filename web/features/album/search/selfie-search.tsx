import { type ReactNode, Suspense, useEffect, useEffectEvent } from 'react'
import type { Progress } from '../../../../src/contract/albums/albums.ts'
import { SEARCH_MAX_SELFIES } from '../../../../src/contract/limits.ts'
import { searchablePhotos } from '../../../../src/texts/english/album.ts'
import {
  formerSearch,
  searchForm as formTexts,
  selfieSearch as texts,
} from '../../../../src/texts/english/search.ts'
import { failureOf, failureText } from '../../../lib/failure.ts'
import { useFocusAfter } from '../../../lib/focus.ts'
import { usePreload } from '../../../lib/lazy-part.ts'
import { Button } from '../../../ui/button.tsx'
import { LockIcon } from '../../../ui/more-icons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ConsentNote } from '../../photos/consent.tsx'
import { SelfiePicker } from '../../photos/selfie-picker.tsx'
import { SelfieWaitNotice } from '../../photos/selfie-wait-notice.tsx'
import { personOf, personRemembered } from './person.ts'
import { isSearching } from './state.ts'
import { SearchResults, useSearch } from './use-search.tsx'

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
  const begin = useEffectEvent(beginAsBefore)
  useEffect(() => begin(), [])

  if (state.found)
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
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-8">
      <section aria-label={texts.label} className="space-y-4">
        {/* The form is not drawn before what is above it, so that it does not move while code loads. */}
        <Suspense>
          <Coverage progress={progress} />
          <FormerSearch />
          <SearchStatus />
          <SearchForm />
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
  const { state, stop } = useSearch()
  const { now } = state
  return (
    <div role="status" className="empty:m-0">
      {now.step === 'searching' &&
        (now.wait ? (
          <SelfieWaitNotice {...now.wait} onCancel={stop} />
        ) : (
          <span className="sr-only">{formTexts.searchingAlbum}</span>
        ))}
    </div>
  )
}

/** Says how much of an album a search covers, and offers the photos that were added since. Nothing when it covers all. */
function Coverage({ progress }: { progress: Progress }) {
  const { state, renew } = useSearch()
  const { totalPhotos, photosIndexedToRekognition: ready, isCompleted } = progress
  const { found } = state
  const covered = found?.among ?? ready
  const added = ready - covered
  if (added <= 0 && isCompleted) return null
  return (
    <Notice>
      <p className="tabular-nums">
        <span>{(found ? searchablePhotos.covered : searchablePhotos.soFar)(covered, totalPhotos)}</span>{' '}
        {added <= 0 && <span>{searchablePhotos.preparing}</span>}
      </p>
      {added > 0 && (
        <Button
          look="secondary"
          className="mt-3 max-sm:w-full"
          disabled={state.now.step === 'renewing'}
          busy={state.now.step === 'renewing'}
          onClick={renew}
        >
          {searchablePhotos.searchMore(added)}
        </Button>
      )}
    </Notice>
  )
}

/** For a visitor who searched before: why the results that this tab showed are gone, and the way to the photos of a
 *  visitor whom this browser remembers. */
function FormerSearch() {
  const { state, begin, forgetMe } = useSearch()
  const { now, remembered } = state
  const isBusy = isSearching(state)
  return (
    <>
      <div role="status" className="empty:m-0">
        {now.step === 'idle' && now.over && <Notice title={formerSearch.over}>{now.over}</Notice>}
      </div>
      {remembered && (
        <Notice title={formerSearch.isRemembered}>
          <div className="mt-3 flex flex-wrap gap-3">
            <Button
              look="secondary"
              disabled={isBusy}
              onClick={() => begin(personRemembered(remembered.searchToken))}
            >
              {formerSearch.show}
            </Button>
            <Button look="quiet" disabled={isBusy} onClick={forgetMe}>
              {formerSearch.forget}
            </Button>
          </div>
        </Notice>
      )}
    </>
  )
}

/** Takes the selfies and starts the search. */
function SearchForm() {
  const { state, dispatch, consent, begin } = useSearch()
  const { now, selfies, search } = state
  const isBusy = isSearching(state)
  const hasFailed = now.step === 'failed'
  // What the visitor can do better, when the service could not use the selfies.
  const refusal = hasFailed && failureOf(now.error)?.status === 422 && failureText(now.error)

  // A disabled button loses the focus. After a failure, or when the visitor has cancelled, it is pressed again.
  const submit = useFocusAfter<HTMLButtonElement>(hasFailed, () => hasFailed)

  return (
    <>
      <SelfiePicker
        selfies={selfies}
        most={SEARCH_MAX_SELFIES}
        disabled={isBusy}
        onChange={(next) => dispatch({ type: 'selfies chosen', selfies: next })}
        // The form replaces the results.
        takesFocus={search > 0}
      />
      {refusal && <Notice>{refusal}</Notice>}
      <ConsentNote consent={consent} disabled={isBusy} />
      <Button
        ref={submit}
        size="lg"
        className="w-full"
        busy={isBusy}
        disabled={selfies.length === 0 || isBusy}
        onClick={() => consent.check() && begin(personOf(selfies))}
      >
        {isBusy ? formTexts.searching : formTexts.search}
      </Button>
      <p className="flex items-start gap-2 text-sm text-ink-soft">
        <LockIcon className="mt-0.5 size-4 shrink-0" />
        <span>{formTexts.explanation}</span>
      </p>
    </>
  )
}
