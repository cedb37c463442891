import { useEffect, useRef } from 'react'
import { SEARCH_MAX_SELFIES } from '../../../src/contract/limits.ts'
import { searchForm as texts } from '../../../src/texts/english/search.ts'
import { Button } from '../../ui/button.tsx'
import { LockIcon } from '../../ui/more-icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ConsentNote } from '../photos/consent-note.tsx'
import { SelfiePicker } from '../photos/selfie-picker.tsx'
import { SelfieWaitNotice } from '../photos/selfie-wait-notice.tsx'
import type { Consent } from '../photos/use-consent.ts'
import type { AlbumSearch } from './album-search-types.ts'

export interface SearchFormProps {
  search: AlbumSearch
  consent: Consent
  selfies: readonly File[]
  onChange: (selfies: readonly File[]) => void
  /** The form replaces the results, so it takes the focus. */
  isBack: boolean
}

/** Takes the selfies and starts the search. */
export function SearchForm({ search, consent, selfies, onChange, isBack }: SearchFormProps) {
  const { isSearching, hasFailed, waiting, refusal } = search
  const submit = useRef<HTMLButtonElement>(null)

  // A disabled button loses the focus. After a failure, or when the visitor has cancelled, it is pressed again.
  useEffect(() => {
    if (hasFailed && document.activeElement === document.body) submit.current?.focus()
  }, [hasFailed])

  return (
    <>
      <div role="status" className="empty:m-0">
        {waiting ? (
          <SelfieWaitNotice {...waiting} onCancel={search.stopWaiting} />
        ) : (
          isSearching && <span className="sr-only">{texts.searchingAlbum}</span>
        )}
      </div>
      {isSearching && !waiting ? (
        <Searching />
      ) : (
        <SelfiePicker
          selfies={selfies}
          most={SEARCH_MAX_SELFIES}
          disabled={isSearching}
          onChange={(next) => {
            search.forgetRefusal()
            onChange(next)
          }}
          takesFocus={isBack && !isSearching && !hasFailed}
        />
      )}
      {refusal && <Notice>{refusal}</Notice>}
      <ConsentNote consent={consent} disabled={isSearching} />
      <Button
        ref={submit}
        size="lg"
        className="w-full"
        busy={isSearching}
        disabled={selfies.length === 0 || isSearching}
        onClick={() => consent.check() && search.start(selfies)}
      >
        {isSearching ? texts.searching : texts.search}
      </Button>
      <p className="flex items-start gap-2 text-sm text-ink-soft">
        <LockIcon className="mt-0.5 size-4 shrink-0" />
        {texts.explanation}
      </p>
    </>
  )
}

function Searching() {
  return (
    <div className="grid grid-cols-3 gap-2.5">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} className="aspect-square rounded-lg" />
      ))}
    </div>
  )
}
