import type { ReactNode } from 'react'
import { searchResults } from '../../../src/texts/english/search.ts'
import { resultsGallery, selfieResults as texts } from '../../../src/texts/english/submissions.ts'
import { KeptInPlace } from '../photos/kept-in-place.tsx'
import { outcomeOf, PossiblePhotos } from '../photos/possible-photos.tsx'
import { ResultsGallery, type ResultsGalleryProps } from './results-gallery.tsx'
import { useAnswers } from './use-answers.ts'

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
