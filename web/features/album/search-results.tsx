import { useState } from 'react'
import { possiblePhotos as possibleTexts, searchResults as texts } from '../../../src/texts/english/search.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchIcon } from '../../ui/more-icons.tsx'
import type { KeptGrid } from '../photos/kept-grid.ts'
import { KeptInPlace } from '../photos/kept-in-place.tsx'
import { outcomeOf, PossiblePhotos } from '../photos/possible-photos.tsx'
import { SelfieWaitNotice } from '../photos/selfie-wait-notice.tsx'
import type { Consent } from '../photos/use-consent.ts'
import type { AlbumSearch } from './album-search-types.ts'
import type { Found } from './found.ts'
import { FoundPhotos } from './found-photos.tsx'
import { NewSelfieNeeded } from './new-selfie-needed.tsx'
import { OptOut } from './opt-out.tsx'
import { PhotoAlert } from './photo-alert.tsx'
import { RememberedOffer } from './remembered-offer.tsx'
import { nothingFound } from './results-heading.ts'
import { SecondPerson } from './second-person.tsx'
import { SeenInSelfies } from './seen-in-selfies.tsx'
import type { RememberedVisitor } from './use-remembered.ts'

export interface SearchResultsProps {
  albumName: string
  /** What the visitor has done with these results before. */
  kept: KeptGrid
  found: Found
  search: AlbumSearch
  consent: Consent
  remembered: RememberedVisitor
  onForgetMe: () => void
  onSearchAgain: () => void
  /** The visitor wants to add a selfie to those that were searched with. */
  onAddSelfie: () => void
}

/** What a search has found: the photos that surely show the visitor, and those that may. */
export default function SearchResults(props: SearchResultsProps) {
  const { albumName, kept, found, search, consent, remembered, onForgetMe, onSearchAgain, onAddSelfie } =
    props
  const { photos, possible, answers, person } = found
  const [hadPhotos] = useState(photos.length > 0)
  const hasPhotos = photos.length > 0
  const hasQuestions = possible.length > 0

  const again = (
    <Button look={hasPhotos || hasQuestions ? 'secondary' : 'primary'} onClick={onSearchAgain}>
      <SearchIcon />
      {texts.searchAgain}
    </Button>
  )
  const nothing = nothingFound(found)
  const secondPerson = <SecondPerson found={found} search={search} consent={consent} />
  const seen = <SeenInSelfies found={found} search={search} onAddSelfie={onAddSelfie} />

  return (
    <>
      <div role="status" className="empty:m-0">
        {search.waiting ? (
          <SelfieWaitNotice {...search.waiting} onCancel={search.stopWaiting} />
        ) : (
          search.isSearching && <span className="sr-only">{texts.searching}</span>
        )}
      </div>
      {hasPhotos && (
        <FoundPhotos
          found={found}
          kept={kept}
          search={search}
          seenBefore={remembered.seen}
          takesFocus={hadPhotos}
          action={again}
        >
          {secondPerson}
          {seen}
        </FoundPhotos>
      )}
      {!hasPhotos && !hasQuestions && (
        <div className="mx-auto max-w-read">
          {person.other && secondPerson}
          <EmptyState
            icon={<SearchIcon className="size-10" />}
            title={nothing.title}
            takesFocus={answers.length === 0}
            action={again}
          >
            {nothing.text}
          </EmptyState>
          {seen}
        </div>
      )}
      {(hasQuestions || answers.length > 0) && (
        <KeptInPlace>
          <PossiblePhotos
            possible={possible}
            outcome={outcomeIn(found, search)}
            onAnswer={search.answer}
            onUndo={search.undo}
            issued={found.at}
            isRenewing={search.isRenewing}
            onFail={search.reportFailure}
            onRetry={search.renew}
            title={hasPhotos ? texts.askMore : texts.ask}
            takesFocus={!hadPhotos}
            action={!hasPhotos && hasQuestions && again}
          >
            {!hasPhotos && hasQuestions && secondPerson}
            {!hasPhotos && hasQuestions && seen}
          </PossiblePhotos>
        </KeptInPlace>
      )}
      {found.person.sent && (
        <RememberedOffer
          endsAt={person.isToRemember ? remembered.kept?.endsAt : undefined}
          isSaving={search.isRemembering}
          onRemember={search.remember}
          onForget={onForgetMe}
        />
      )}
      {found.person.sent && <PhotoAlert albumName={albumName} found={found} consent={consent} />}
      {found.optOut && found.person.sent && (
        <OptOut
          albumName={albumName}
          optOut={found.optOut}
          searchToken={found.person.sent.searchToken}
          found={found}
          onOptedOut={onSearchAgain}
        />
      )}
      {found.needsNewSelfie && <NewSelfieNeeded onSearchAgain={onSearchAgain} />}
    </>
  )
}

/** What the visitor's last answer has led to. */
function outcomeIn({ answers, possible, added }: Found, { isFollowingUp }: AlbumSearch): string | undefined {
  const last = answers.at(-1)
  if (!last) return undefined
  return last.isMe && isFollowingUp ? possibleTexts.followingUp : outcomeOf(last.isMe, possible.length, added)
}
