import { useState } from 'react'
import {
  resultsHeadings as headings,
  possiblePhotos as possibleTexts,
  searchResults as texts,
} from '../../../../src/texts/english/search-results.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SearchIcon } from '../../../ui/more-icons.tsx'
import { KeptInPlace } from '../../photos/kept-in-place.tsx'
import { outcomeOf, PossiblePhotos } from '../../photos/possible-photos.tsx'
import { PhotoAlert } from '../alert/photo-alert.tsx'
import { OptOut } from '../opt-out/opt-out.tsx'
import type { Found } from './found.ts'
import { FoundPhotos } from './found-photos.tsx'
import { RememberedOffer } from './remembered-offer.tsx'
import { SecondPerson } from './second-person.tsx'
import { SeenInSelfies } from './seen-in-selfies.tsx'
import { isFollowingUp, type SearchState } from './state.ts'
import { useFound, useSearch } from './use-search.tsx'

/** What a search has found: the photos that surely show the visitor, and those that may. */
export default function SearchResults() {
  const { state, dispatch, links, startOver } = useSearch()
  const found = useFound()
  const { photos, possible, person } = found
  const { answers, searchToken } = person
  const [hadPhotos] = useState(photos.length > 0)
  const hasPhotos = photos.length > 0
  const isUnsure = !hasPhotos && possible.length > 0

  const again = (
    <Button look={hasPhotos || isUnsure ? 'secondary' : 'primary'} onClick={() => startOver()}>
      <SearchIcon />
      {texts.searchAgain}
    </Button>
  )
  const nothing = nothingFound(found)
  const persons = (
    <>
      <SecondPerson />
      <SeenInSelfies />
    </>
  )

  return (
    <>
      {hasPhotos && (
        <FoundPhotos takesFocus={hadPhotos} action={again}>
          {persons}
        </FoundPhotos>
      )}
      {!hasPhotos && !isUnsure && (
        <div className="mx-auto max-w-read">
          {person.other && <SecondPerson />}
          <EmptyState
            icon={<SearchIcon className="size-10" />}
            title={nothing.title}
            takesFocus={answers.length === 0}
            action={again}
          >
            {nothing.text}
          </EmptyState>
          <SeenInSelfies />
        </div>
      )}
      {(possible.length > 0 || answers.length > 0) && (
        <KeptInPlace>
          <PossiblePhotos
            possible={possible}
            outcome={outcomeIn(state)}
            onAnswer={(photo, isMe) => dispatch({ type: 'answered', answer: { photo, isMe } })}
            onUndo={() => dispatch({ type: 'answer taken back' })}
            {...links}
            title={hasPhotos ? texts.askMore : texts.ask}
            takesFocus={!hadPhotos}
            action={isUnsure && again}
          >
            {isUnsure && persons}
          </PossiblePhotos>
        </KeptInPlace>
      )}
      {searchToken && (
        <>
          <RememberedOffer />
          <PhotoAlert />
        </>
      )}
      <OptOut />
    </>
  )
}

/** What the page says when there is no photo. */
export function nothingFound({ person: { isRemembered, other } }: Found): { title: string; text: string } {
  if (other?.combine === 'both') return { title: headings.noneBoth, text: headings.noneBothText }
  if (other) return { title: headings.noneEither, text: headings.noneEitherText }
  return { title: headings.none, text: isRemembered ? headings.noneNow : headings.noneText }
}

/** What the visitor's last answer has led to. */
function outcomeIn(state: SearchState): string | undefined {
  const { person, possible, added } = state.found!
  const last = person.answers.at(-1)
  if (!last) return undefined
  if (last.isMe && isFollowingUp(state)) return possibleTexts.followingUp
  return outcomeOf(last.isMe, possible.length, added)
}
