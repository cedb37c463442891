import { useState } from 'react'
import type { PossibleResult, Results as SubmissionResults } from '../../../src/contract/submissions.ts'
import { searchResults } from '../../../src/texts/english/search-results.ts'
import { selfieResults, resultsGallery as texts } from '../../../src/texts/english/submissions.ts'
import { takeFocus } from '../../lib/focus.ts'
import { FailureNotice } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { KeptInPlace } from '../photos/kept-in-place.tsx'
import { LoadedPages } from '../photos/pages/loaded-pages.tsx'
import { PhotoGridSkeleton } from '../photos/photo-grid-skeleton.tsx'
import { outcomeOf, PossiblePhotos } from '../photos/possible-photos.tsx'
import { useChosen } from '../photos/take-home/use-chosen.ts'
import { NoPhotos, Said } from './said.tsx'
import { useFoundPhotos } from './use-results.ts'

/** Photos in a row of the results on a phone. */
const COLUMNS_ON_PHONES = 1

/** The photos that show the visitor, and the questions about those that may. The links to them end after an hour.
 *  @param id of the submission */
export function Results({ id, results }: { id: string; results: SubmissionResults }) {
  const { totalMatches, possible = [] } = results
  const [haveEnded, setEnded] = useState(false)
  const list = useFoundPhotos(id, results, () => setEnded(true))
  const chosen = useChosen()
  // Only this page knows the answers: the selfie is deleted, so a yes leads to no other photos.
  const [answers, setAnswers] = useState<readonly { photo: PossibleResult; isMe: boolean }[]>([])
  const last = answers.at(-1)
  const open = possible.filter(({ face }) => !answers.some(({ photo }) => photo.face.id === face.id))
  const confirmed = answers.filter(({ isMe }) => isMe).map(({ photo }) => photo)
  const total = totalMatches + confirmed.length
  // Photos that were removed meanwhile are missing in the list.
  const photos = list.photos && [...list.photos, ...confirmed]
  const hasFound = total > 0 && photos?.length !== 0

  if (haveEnded)
    return (
      <Said role="status" title={selfieResults.expired}>
        {selfieResults.expiredText}
      </Said>
    )
  return (
    <>
      {hasFound && (
        <header className="mb-6">
          {/* The results replace the waiting page. */}
          <h1 ref={takeFocus} tabIndex={-1} className="text-title font-bold outline-none">
            {texts.title}
          </h1>
          <p className="mt-2 text-lg text-ink-soft">
            <span>{texts.found(total)}</span>
            {(!photos || list.hasMore) && !list.error && <span> {texts.loadingPhotos}</span>}
          </p>
        </header>
      )}
      {hasFound && photos && (
        <>
          <Notice className="mb-6">{texts.downloadNow}</Notice>
          <LoadedPages
            list={list}
            photos={photos}
            total={list.hasMore ? total : photos.length}
            columns={COLUMNS_ON_PHONES}
            chosen={chosen}
            submissionId={id}
            notLoaded={texts.notLoaded}
          />
        </>
      )}
      {!photos && !list.error && (
        <div role="status">
          <p className="mb-4 text-ink-soft">{texts.loadingYourPhotos}</p>
          <PhotoGridSkeleton columns={COLUMNS_ON_PHONES} />
        </div>
      )}
      <FailureNotice error={list.firstError} title={texts.notLoaded} onRetry={list.renew} />
      {!hasFound && open.length === 0 && <NoPhotos />}
      {!hasFound && open.length > 0 && <h1 className="mb-6 text-title font-bold">{selfieResults.isItYou}</h1>}
      {possible.length > 0 && (
        <KeptInPlace>
          <PossiblePhotos
            possible={open}
            outcome={last && outcomeOf(last.isMe, open.length)}
            onAnswer={(photo, isMe) => setAnswers([...answers, { photo, isMe }])}
            onUndo={() => setAnswers(answers.slice(0, -1))}
            title={total > 0 ? searchResults.askMore : searchResults.ask}
            takesFocus={totalMatches === 0}
          />
        </KeptInPlace>
      )}
      {(hasFound || open.length > 0) && (
        <p className="mt-10 border-t border-line pt-6 text-ink-soft">{texts.thanks}</p>
      )}
    </>
  )
}
