import { useParams } from '@tanstack/react-router'
import * as pageTitles from '../../src/texts/english/page-titles.ts'
import { selfieResults as texts } from '../../src/texts/english/submissions.ts'
import * as common from '../../src/texts/english/words.ts'
import { Results } from '../features/selfie/results.tsx'
import { NewSearch, Said } from '../features/selfie/said.tsx'
import { resultsFailure, useResults } from '../features/selfie/use-results.ts'
import { usePageHead } from '../lib/page-head.ts'
import { useOfflineApp } from '../lib/use-offline-app.ts'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/more-icons.tsx'
import { Page } from '../ui/page.tsx'

export default function SelfieResultsPage() {
  const { id } = useParams({ from: '/data/selfie/results/{-$id}' })
  usePageHead('selfieResults', pageTitles.selfieResults)
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
