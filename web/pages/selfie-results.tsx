import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { PossibleResult, Results as SubmissionResults } from '../../src/contract/submissions.ts'
import { searchResults } from '../../src/texts/english/search-results.ts'
import { resultsGallery as gallery, selfieResults as texts } from '../../src/texts/english/submissions.ts'
import * as common from '../../src/texts/english/words.ts'
import { PhotoGridSkeleton } from '../features/photos/photo-grid-skeleton.tsx'
import { LoadedPages } from '../features/photos/photo-pages.tsx'
import { outcomeOf, PossiblePhotos } from '../features/photos/possible-photos.tsx'
import { useChosen } from '../features/photos/take-home/take-home.tsx'
import { NewSearch, NoPhotos, Said } from '../features/selfie/said.tsx'
import { resultsFailure, useFoundPhotos, useResults } from '../features/selfie/use-results.ts'
import { takeFocus } from '../lib/focus.ts'
import { useOfflineApp } from '../lib/use-offline-app.ts'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/loading.tsx'
import { Spinner } from '../ui/more-icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

export default function SelfieResultsPage() {
  const { id } = useParams({ from: '/data/selfie/results/{-$id}' })
  useOfflineApp()
  return <Page>{id ? <Submission key={id} id={id} /> : <Said title={texts.invalid}>{texts.noId}</Said>}</Page>
}

function Submission({ id }: { id: string }) {
  const { data: results, error, refetch } = useResults(id)
  // The service was too busy, or had stopped.
  if (results.hasFailed)
    return (
      <Said role="alert" title={texts.notMatched} action={<NewSearch label={common.tryAgain} />}>
        {texts.notMatchedText}
      </Said>
    )
  // What has been processed stays on the page, whatever fails later (§8).
  if (results.processed) return <Results id={id} results={results} />
  const failure = resultsFailure(error)
  if (!failure)
    return (
      <Said role="status" icon={<Spinner className="size-10" />} title={texts.processing} action={null}>
        {texts.pleaseWait}
      </Said>
    )
  const action = (
    <>
      <Button look="secondary" onClick={() => refetch()}>
        {texts.reload}
      </Button>
      <NewSearch />
    </>
  )
  return (
    <Said role="alert" title={texts.notLoaded} action={action}>
      <p>{failure.message}</p>
      <p className="mt-2">{failure.isGone ? texts.gone : texts.notLoadedText}</p>
    </Said>
  )
}

/** The photos that show the visitor, and the questions about those that may. The links to them end after an hour.
 *  @param id of the submission */
function Results({ id, results }: { id: string; results: SubmissionResults }) {
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
      <Said role="status" title={texts.expired}>
        {texts.expiredText}
      </Said>
    )
  return (
    <>
      {hasFound && (
        <header className="mb-6">
          {/* The results replace the waiting page. */}
          <h1 ref={takeFocus} tabIndex={-1} className="text-title font-bold outline-none">
            {gallery.title}
          </h1>
          <p className="mt-2 text-lg text-ink-soft">
            <span>{gallery.found(total)}</span>
            {(!photos || list.hasMore) && !list.error && <span> {gallery.loadingPhotos}</span>}
          </p>
        </header>
      )}
      {hasFound && photos && (
        <>
          <Notice className="mb-6">{gallery.downloadNow}</Notice>
          <LoadedPages
            list={list}
            photos={photos}
            total={list.hasMore ? total : photos.length}
            columns={1}
            chosen={chosen}
            submissionId={id}
            notLoaded={gallery.notLoaded}
          />
        </>
      )}
      {!photos && !list.error && (
        <div role="status">
          <p className="mb-4 text-ink-soft">{gallery.loadingYourPhotos}</p>
          <PhotoGridSkeleton columns={1} />
        </div>
      )}
      <FailureNotice error={list.firstError} title={gallery.notLoaded} onRetry={list.renew} />
      {!hasFound && open.length === 0 && <NoPhotos />}
      {!hasFound && open.length > 0 && <h1 className="mb-6 text-title font-bold">{texts.isItYou}</h1>}
      {possible.length > 0 && (
        <PossiblePhotos
          possible={open}
          outcome={last && outcomeOf(last.isMe, open.length)}
          onAnswer={(photo, isMe) => setAnswers([...answers, { photo, isMe }])}
          onUndo={() => setAnswers(answers.slice(0, -1))}
          title={total > 0 ? searchResults.askMore : searchResults.ask}
          takesFocus={totalMatches === 0}
        />
      )}
      {(hasFound || open.length > 0) && (
        <p className="mt-10 border-t border-line pt-6 text-ink-soft">{gallery.thanks}</p>
      )}
    </>
  )
}
