import { type ReactNode, useState } from 'react'
import type { Progress } from '../../../src/contract/albums.ts'
import { selfieSearch as texts } from '../../../src/texts/english.ts'
import { usePreload } from '../../lib/on-demand.ts'
import { useConsent } from '../photos/use-consent.ts'
import { LookingForYou, RememberedNotice } from './remembered-notice.tsx'
import type { AlbumEvents } from './search-album.ts'
import { SearchForm } from './search-form.tsx'
import { SearchableNotice } from './searchable-photos.tsx'
import { SearchResults, useAlbumSearch } from './use-album-search.ts'
import { useRemembered } from './use-remembered.ts'
import { useRememberedSearch } from './use-remembered-search.ts'

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
  /** What is beside the search, or below its results. */
  aside: ReactNode
}

export default function SelfieSearch(props: SelfieSearchProps) {
  const { albumName, progress, selfies, onSelfiesChange, asksForTick, instead, aside } = props
  usePreload([SearchResults])
  const consent = useConsent(asksForTick)
  const remembered = useRemembered(albumName)
  const search = useAlbumSearch(albumName, progress.photosIndexedToRekognition, consent, {
    ...props,
    onTicketRefused: remembered.refuse,
  })
  const { forgetMe } = useRememberedSearch(remembered, search, { startsAtOnce: selfies.length === 0 })
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
        <SearchResults
          // Another search starts with a fresh state.
          key={found.search}
          albumName={albumName}
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
        <div className="mx-auto max-w-read space-y-6">
          {instead}
          {aside}
        </div>
      </div>
    )

  if (search.isSearching && search.isByTicket && !search.waiting) return <LookingForYou />

  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-8">
      <section aria-label={texts.label} className="space-y-4">
        {coverage}
        <RememberedNotice remembered={remembered} search={search} onForgetMe={forgetMe} />
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
