import { type ReactNode, Suspense, useEffect, useState } from 'react'
import type { Progress } from '../../../src/contract/albums.ts'
import { selfieSearch as texts } from '../../../src/texts/english/search.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useConsent } from '../photos/use-consent.ts'
import type { AlbumEvents } from './album-search-types.ts'
import KeptSearchNotice from './kept-search-notice.tsx'
import type { KeptVisit } from './kept-visit.ts'
import LookingForYou from './looking-for-you.tsx'
import RememberedNotice from './remembered-notice.tsx'
import { SearchForm } from './search-form.tsx'
import { SearchableNotice } from './searchable-photos.tsx'
import { useAlbumSearch } from './use-album-search.ts'
import { useKeptSearch } from './use-kept-search.ts'
import { useRemembered } from './use-remembered.ts'
import { useRememberedSearch } from './use-remembered-search.ts'

/** Its code is loaded while the visitor chooses a selfie. */
const SearchResults = lazyPart(() => import('./search-results.tsx'))

export interface SelfieSearchProps extends AlbumEvents {
  albumName: string
  /** How many photos can be found. */
  progress: Progress
  /** All of one person. */
  selfies: readonly File[]
  onSelfiesChange: (selfies: readonly File[]) => void
  /** A search needs the visitor's tick. */
  asksForTick: boolean
  /** What a visitor can do instead of a search. */
  instead: ReactNode
  kept: KeptVisit
  /** What is beside the search, or below its results. */
  aside: ReactNode
}

export default function SelfieSearch(props: SelfieSearchProps) {
  const { albumName, progress, selfies, onSelfiesChange, asksForTick, kept, instead, aside } = props
  useEffect(() => whenIdle(() => SearchResults.preload?.()), [])
  const consent = useConsent(asksForTick)
  const remembered = useRemembered(albumName)
  const search = useAlbumSearch(albumName, progress.photosIndexedToRekognition, consent, kept, {
    ...props,
    onForgotten: remembered.refuse,
  })
  const keptSearch = useKeptSearch(albumName, search)
  const { forgetMe } = useRememberedSearch(remembered, search, {
    startsAtOnce: selfies.length === 0 && kept.found === null && keptSearch === null,
  })
  const { found } = search
  const [isBack, setIsBack] = useState(false)
  /** The number of the search whose results the visitor has left to add a selfie. */
  const [left, setLeft] = useState<number>()

  const coverage = (
    <SearchableNotice
      progress={progress}
      searched={found?.among}
      isSearching={search.isRenewing}
      onSearchRest={search.renew}
    />
  )

  if (found && found.search !== left)
    return (
      <div className="space-y-10">
        {coverage}
        <Suspense fallback={<Skeleton className="h-80 rounded-xl" />}>
          <SearchResults
            // Another search starts with a fresh state.
            key={found.search}
            albumName={albumName}
            kept={kept.results}
            found={found}
            search={search}
            consent={consent}
            remembered={remembered}
            onForgetMe={forgetMe}
            onSearchAgain={() => {
              setIsBack(true)
              onSelfiesChange([])
              consent.tick(false)
              search.forget()
            }}
            onAddSelfie={() => {
              setIsBack(true)
              setLeft(found.search)
            }}
          />
        </Suspense>
        <div className="mx-auto max-w-read space-y-6">
          {instead}
          {aside}
        </div>
      </div>
    )

  if (search.isSearching && (search.isRemembered || search.isRestored) && !search.waiting)
    return <LookingForYou />

  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-8">
      <section aria-label={texts.label} className="space-y-4">
        {coverage}
        <div role="status" className="empty:m-0">
          {(search.over !== undefined || (keptSearch && search.isRestored && search.hasFailed)) && (
            <KeptSearchNotice kept={keptSearch} search={search} />
          )}
        </div>
        {(remembered.kept || remembered.wasRefused) && (
          <RememberedNotice remembered={remembered} search={search} onForgetMe={forgetMe} />
        )}
        <SearchForm
          search={search}
          consent={consent}
          selfies={selfies}
          onChange={onSelfiesChange}
          isBack={isBack}
        />
        {instead}
      </section>
      {aside}
    </div>
  )
}
