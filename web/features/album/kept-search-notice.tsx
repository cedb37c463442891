import { keptSearch as texts } from '../../../src/texts/english/search.ts'
import { common } from '../../../src/texts/english/site.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { AlbumSearch } from './album-search-types.ts'
import type { KeptSearch } from './found.ts'

/** Above the search: why the results that this tab showed are gone, or the way back to them. */
export default function KeptSearchNotice({ kept, search }: { kept: KeptSearch | null; search: AlbumSearch }) {
  if (search.over !== undefined) return <Notice title={texts.over}>{search.over}</Notice>
  if (!kept) return null
  return (
    <Notice title={texts.notLoaded}>
      <Button look="secondary" className="mt-3" onClick={() => search.restore(kept)}>
        {common.tryAgain}
      </Button>
    </Notice>
  )
}
