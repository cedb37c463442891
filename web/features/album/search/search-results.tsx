import { type ReactNode, useEffect, useRef, useState } from 'react'
import { SEARCH_RESULTS_SHOWN } from '../../../../src/contract/limits.ts'
import type { FoundPhoto } from '../../../../src/contract/search.ts'
import {
  foundPhotos as foundTexts,
  resultsHeadings as headings,
  possiblePhotos as possibleTexts,
  searchResults as texts,
} from '../../../../src/texts/english/search-results.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SearchIcon } from '../../../ui/more-icons.tsx'
import { PhotoGrid } from '../../photos/photo-grid.tsx'
import { photoIdOf } from '../../photos/photo-path.ts'
import { outcomeOf, PossiblePhotos } from '../../photos/possible-photos.tsx'
import { TakeHome, useChosen } from '../../photos/take-home/take-home.tsx'
import { PhotoAlert } from '../alert/photo-alert.tsx'
import { OptOut } from '../opt-out/opt-out.tsx'
import type { Found } from './found.ts'
import { RememberedOffer } from './remembered-offer.tsx'
import { SecondPerson } from './second-person.tsx'
import { SeenInSelfies } from './seen-in-selfies.tsx'
import { isFollowingUp, type SearchState } from './state.ts'
import { useFound, useSearch } from './use-search.tsx'

/** What a search has found: the photos that surely show the visitor, and those that may. */
export default function SearchResults() {
  const { state, dispatch, startOver } = useSearch()
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
        <PossiblePhotos
          possible={possible}
          outcome={outcomeIn(state)}
          onAnswer={(photo, isMe) => dispatch({ type: 'answered', answer: { photo, isMe } })}
          onUndo={() => dispatch({ type: 'answer taken back' })}
          title={hasPhotos ? texts.askMore : texts.ask}
          takesFocus={!hadPhotos}
          action={isUnsure && again}
        >
          {isUnsure && persons}
        </PossiblePhotos>
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

interface FoundPhotosProps {
  /** The heading takes the focus, because it replaces what the visitor was using. */
  takesFocus: boolean
  /** What can be done next, beside the heading. */
  action: ReactNode
  /** What is below the heading. */
  children: ReactNode
}

/** The photos that feature the visitor, at most 18 at first, best match first. */
function FoundPhotos({ takesFocus, action, children }: FoundPhotosProps) {
  const { seen } = useSearch()
  const found = useFound()
  const total = found.photos.length
  const isNew = (photo: FoundPhoto) => !seen.has(photoIdOf(photo.thumbUrl))
  const photos = found.person.isRemembered ? newFirst(found.photos, isNew) : found.photos
  const added = found.remembered?.photoIds.filter((id) => !seen.has(id)).length ?? 0
  const [limit, setLimit] = useState(SEARCH_RESULTS_SHOWN)
  const chosen = useChosen()
  const heading = useRef<HTMLHeadingElement>(null)
  const section = useRef<HTMLElement>(null)
  const shown = photos.slice(0, limit)
  const hidden = total - shown.length

  const showMore = () => setLimit(limit + SEARCH_RESULTS_SHOWN)

  // The results replace the form, and more results replace the button. So the focus moves to them.
  useEffect(() => {
    const firstNew = `[aria-posinset="${limit - SEARCH_RESULTS_SHOWN + 1}"] a`
    if (limit > SEARCH_RESULTS_SHOWN) section.current!.querySelector<HTMLElement>(firstNew)?.focus()
    else if (takesFocus) heading.current?.focus()
  }, [limit, takesFocus])

  return (
    <section ref={section} aria-labelledby="found">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
        <h2 id="found" ref={heading} tabIndex={-1} className="text-2xl font-bold tracking-tight outline-none">
          {resultsHeading(found, added)}
        </h2>
        {action}
      </div>
      {children}
      <p role="status" className="sr-only">
        {limit > SEARCH_RESULTS_SHOWN && foundTexts.showing(shown.length, total)}
      </p>
      <TakeHome photos={photos} total={total} isLoadingMore={false} chosen={chosen} />
      <PhotoGrid photos={shown} total={total} chosen={chosen} onNearEnd={hidden > 0 ? showMore : undefined} />
      {hidden > 0 && (
        <p className="mt-6 text-center">
          <Button look="secondary" onClick={showMore}>
            {foundTexts.showMore(hidden)}
          </Button>
        </p>
      )}
    </section>
  )
}

/** What the results are.
 *  @param added how many photos were not found at the last visit */
export function resultsHeading({ person, photos }: Found, added: number): string {
  const { isRemembered, other } = person
  const total = photos.length
  if (other) return other.combine === 'both' ? headings.foundBoth(total) : headings.foundEither(total)
  if (!isRemembered) return headings.found(total)
  return added > 0 ? headings.newSince(added) : headings.nothingNew
}

/** The photos that were not found at the last visit come first. */
export function newFirst<Photo>(photos: readonly Photo[], isNew: (photo: Photo) => boolean): Photo[] {
  return [...photos.filter(isNew), ...photos.filter((photo) => !isNew(photo))]
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
