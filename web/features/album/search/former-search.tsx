import { keptSearch, remembered } from '../../../../src/texts/english/search-results.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PhotoGridSkeleton } from '../../photos/photo-grid-skeleton.tsx'
import { personRemembered } from './person.ts'
import { isSearching } from './state.ts'
import { useSearch } from './use-search.tsx'

/** For a visitor who searched before: that their photos are searched for; or above the form, why the results that this tab
 *  showed are gone, the way back to them, or to the photos of a visitor whom this browser remembers. */
export default function FormerSearch() {
  const { state, begin, forgetMe } = useSearch()
  const { now, remembered: kept } = state
  const isBusy = isSearching(state)
  const former = 'person' in now && now.person.selfies.length === 0 ? now.person : undefined
  if (former && now.step === 'searching' && !now.wait)
    return (
      <section aria-busy="true">
        <div role="status">
          <h2 className="mb-5 text-2xl font-bold tracking-tight">{remembered.looking}</h2>
        </div>
        <PhotoGridSkeleton />
      </section>
    )
  const over = now.step === 'no selfie' ? now.over : undefined
  const failed = now.step === 'failed' ? former : undefined
  return (
    <>
      <div role="status" className="empty:m-0">
        {over && <Notice title={keptSearch.over}>{over}</Notice>}
        {failed && !failed.isRemembered && (
          <Notice title={keptSearch.notLoaded}>
            <Button look="secondary" className="mt-3" onClick={() => begin(failed)}>
              {common.tryAgain}
            </Button>
          </Notice>
        )}
      </div>
      {over === null && <Notice title={remembered.notRemembered}>{remembered.notRememberedText}</Notice>}
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
