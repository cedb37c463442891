import { SEARCH_MAX_SELFIES } from '../../../../src/contract/limits.ts'
import { searchForm as texts } from '../../../../src/texts/english/search.ts'
import { useFocusAfter } from '../../../lib/focus.ts'
import { Button } from '../../../ui/button.tsx'
import { LockIcon } from '../../../ui/more-icons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ConsentNote } from '../../photos/consent.tsx'
import { SelfiePicker } from '../../photos/selfie-picker.tsx'
import { selfieRefusal } from './api.ts'
import { personOf } from './person.ts'
import { isSearching } from './state.ts'
import { useSearch } from './use-search.tsx'

/** Takes the selfies and starts the search.
 *  @param isBack the form replaces the results, so it takes the focus */
export function SearchForm({ isBack }: { isBack: boolean }) {
  const { state, dispatch, consent, begin } = useSearch()
  const { now, selfies, found } = state
  const isBusy = isSearching(state)
  const hasFailed = now.step === 'failed'
  const refusal = hasFailed && selfieRefusal(now.error)

  // A disabled button loses the focus. After a failure, or when the visitor has cancelled, it is pressed again.
  const submit = useFocusAfter<HTMLButtonElement>(hasFailed, () => hasFailed)

  return (
    <>
      {now.step === 'searching' && !now.wait ? (
        <div className="grid grid-cols-3 gap-2.5">
          {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
            <Skeleton key={key} className="aspect-square rounded-lg" />
          ))}
        </div>
      ) : (
        <SelfiePicker
          selfies={selfies}
          most={SEARCH_MAX_SELFIES}
          disabled={isBusy}
          onChange={(next) => dispatch({ type: 'selfies chosen', selfies: next })}
          takesFocus={isBack && !isBusy && !hasFailed}
        />
      )}
      {refusal && <Notice>{refusal}</Notice>}
      <ConsentNote consent={consent} disabled={isBusy} />
      <Button
        ref={submit}
        size="lg"
        className="w-full"
        busy={isBusy}
        disabled={selfies.length === 0 || isBusy}
        onClick={() => consent.check() && begin(personOf(selfies, found?.person))}
      >
        {isBusy ? texts.searching : texts.search}
      </Button>
      <p className="flex items-start gap-2 text-sm text-ink-soft">
        <LockIcon className="mt-0.5 size-4 shrink-0" />
        <span>{texts.explanation}</span>
      </p>
    </>
  )
}
