import { remembered as texts } from '../../../src/texts/english/search.ts'
import { common } from '../../../src/texts/english/site.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { AlbumSearch } from './album-search-types.ts'
import type { RememberedVisitor } from './use-remembered.ts'

export interface RememberedNoticeProps {
  remembered: RememberedVisitor
  search: AlbumSearch
  onForgetMe: () => void
}

/** Above the search: the way back to the photos of a visitor whom this browser remembers, or why there is none any more.
 *  Nothing for others. */
export default function RememberedNotice({ remembered, search, onForgetMe }: RememberedNoticeProps) {
  const { kept, wasRefused } = remembered
  if (wasRefused) return <Notice title={texts.notRemembered}>{texts.notRememberedText}</Notice>
  if (!kept) return null
  const hasFailed = search.isRemembered && search.hasFailed
  return (
    <Notice title={hasFailed ? texts.notLoaded : texts.isRemembered}>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button
          look="secondary"
          disabled={search.isSearching}
          onClick={() => search.startRemembered(kept.searchToken)}
        >
          {hasFailed ? common.tryAgain : texts.show}
        </Button>
        <Button look="quiet" disabled={search.isSearching} onClick={onForgetMe}>
          {texts.forget}
        </Button>
      </div>
    </Notice>
  )
}
