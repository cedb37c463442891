import { type ReactNode, useState } from 'react'
import type { PossibleResult } from '../../../src/contract/submissions.ts'
import { searchResults } from '../../../src/texts/english/search-results.ts'
import { resultsGallery, selfieResults as texts } from '../../../src/texts/english/submissions.ts'
import { KeptInPlace } from '../photos/kept-in-place.tsx'
import { outcomeOf, PossiblePhotos } from '../photos/possible-photos.tsx'
import { ResultsGallery, type ResultsGalleryProps } from './results-gallery.tsx'

/** The photos that show the visitor, and the questions about those that may.
 *  @param nothing is shown when the visitor is in none of them */
export function Results({ nothing, ...found }: ResultsGalleryProps & { nothing: ReactNode }) {
  const { last, open, confirmed, answer, undo } = useAnswers(found.possible)
  const total = found.total + confirmed.length
  const photos = found.photos && [...found.photos, ...confirmed]
  const hasAsked = open.length > 0 || last !== undefined

  return (
    <>
      {total > 0 && <ResultsGallery {...found} total={total} photos={photos} />}
      {total === 0 && open.length === 0 && nothing}
      {total === 0 && open.length > 0 && <h1 className="mb-6 text-title font-bold">{texts.isItYou}</h1>}
      {hasAsked && (
        <KeptInPlace>
          <PossiblePhotos
            possible={open}
            outcome={last && outcomeOf(last.isMe, open.length)}
            onAnswer={answer}
            onUndo={undo}
            issued={found.issued}
            title={total > 0 ? searchResults.askMore : searchResults.ask}
            takesFocus={found.total === 0}
          />
        </KeptInPlace>
      )}
      {(total > 0 || open.length > 0) && (
        <p className="mt-10 border-t border-line pt-6 text-ink-soft">{resultsGallery.thanks}</p>
      )}
    </>
  )
}

/** What the visitor says about the photos that may show them. Only this page knows it: the selfie is deleted, so a yes leads
 *  to no other photos.
 *  @param possible all that the visitor is asked about */
function useAnswers(possible: readonly PossibleResult[]) {
  const [answers, setAnswers] = useState<readonly { photo: PossibleResult; isMe: boolean }[]>([])
  return {
    last: answers.at(-1),
    /** Those without an answer. */
    open: possible.filter(({ face }) => !answers.some(({ photo }) => photo.face.id === face.id)),
    confirmed: answers.filter(({ isMe }) => isMe).map(({ photo }) => photo),
    answer: (photo: PossibleResult, isMe: boolean) => setAnswers((given) => [...given, { photo, isMe }]),
    undo: () => setAnswers((given) => given.slice(0, -1)),
  }
}
