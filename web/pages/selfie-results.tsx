import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles } from '../../src/texts/english/common.ts'
import { common } from '../../src/texts/english/site.ts'
import { selfieResults as texts } from '../../src/texts/english/submissions.ts'
import { usePhotoLinks } from '../features/photos/use-photo-links.ts'
import { Results } from '../features/selfie/results.tsx'
import { type FoundState, type ResultsState, useResults } from '../features/selfie/use-results.ts'
import { usePageHead } from '../lib/page-head.ts'
import { useOfflineApp } from '../lib/use-offline-app.ts'
import { Button } from '../ui/button.tsx'
import { buttonLook } from '../ui/button-look.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { AlertIcon } from '../ui/icons.tsx'
import { SearchIcon, Spinner } from '../ui/more-icons.tsx'
import { Page } from '../ui/page.tsx'

export default function SelfieResultsPage() {
  const { id } = useParams({ from: '/data/selfie/results/{-$id}' })
  usePageHead(PAGES.selfieResults, pageTitles.selfieResults)
  useOfflineApp()
  return <Page>{id ? <Submission key={id} id={id} /> : <InvalidRequest />}</Page>
}

function Submission({ id }: { id: string }) {
  const state = useResults(id)
  if (state.step === 'processing') return <Processing />
  if (state.step === 'failed') return <LoadingError {...state} />
  if (state.step === 'none') return <NoPhotos />
  if (state.step === 'unmatched') return <NotMatched />
  return <Found {...state} />
}

function Processing() {
  return (
    <div role="status">
      <EmptyState icon={<Spinner className="size-10" />} level={1} title={texts.processing}>
        {texts.pleaseWait}
      </EmptyState>
    </div>
  )
}

function LoadingError({ failure, reload }: Extract<ResultsState, { step: 'failed' }>) {
  return (
    <div role="alert">
      <EmptyState
        icon={<AlertIcon className="size-10" />}
        level={1}
        title={texts.notLoaded}
        action={
          <>
            <Button look={failure.isGone ? 'secondary' : 'primary'} onClick={reload}>
              {texts.reload}
            </Button>
            <NewSearch look={failure.isGone ? 'primary' : 'secondary'} />
          </>
        }
      >
        <p>{failure.message}</p>
        <p className="mt-2">{failure.isGone ? texts.gone : texts.notLoadedText}</p>
      </EmptyState>
    </div>
  )
}

function InvalidRequest() {
  return (
    <EmptyState
      icon={<AlertIcon className="size-10" />}
      level={1}
      title={texts.invalid}
      action={<NewSearch />}
    >
      {texts.noId}
    </EmptyState>
  )
}

function NoPhotos() {
  return (
    <div role="status">
      <EmptyState
        icon={<SearchIcon className="size-10" />}
        level={1}
        title={texts.none}
        action={<NewSearch>{texts.another}</NewSearch>}
      >
        {texts.noneText}
      </EmptyState>
    </div>
  )
}

/** The service was too busy, or had stopped. */
function NotMatched() {
  return (
    <div role="alert">
      <EmptyState
        icon={<AlertIcon className="size-10" />}
        level={1}
        title={texts.notMatched}
        action={<NewSearch>{common.tryAgain}</NewSearch>}
      >
        {texts.notMatchedText}
      </EmptyState>
    </div>
  )
}

function Found(found: FoundState) {
  const isExpired = usePhotoLinks(found.issued)
  const [isRefused, setRefused] = useState(false)
  if (!isExpired && !isRefused)
    return <Results {...found} nothing={<NoPhotos />} onRefused={() => setRefused(true)} />
  return (
    <div role="status">
      <EmptyState
        icon={<AlertIcon className="size-10" />}
        level={1}
        title={texts.expired}
        action={<NewSearch />}
      >
        {isExpired ? texts.expiredText : texts.refusedText}
      </EmptyState>
    </div>
  )
}

function NewSearch({
  look,
  children = common.startNewSearch,
}: {
  look?: 'primary' | 'secondary'
  children?: ReactNode
}) {
  return (
    <Link to="/selfie" className={buttonLook(look)}>
      {children}
    </Link>
  )
}
