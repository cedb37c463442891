import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles } from '../../src/texts/english.ts'
import { usePhotoLinks } from '../features/photos/use-photo-links.ts'
import { ResultsGallery } from '../features/selfie/results-gallery.tsx'
import { type ResultsState, useResults } from '../features/selfie/use-results.ts'
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
  return <Page>{id ? <Results key={id} id={id} /> : <InvalidRequest />}</Page>
}

function Results({ id }: { id: string }) {
  const state = useResults(id)
  if (state.step === 'processing') return <Processing />
  if (state.step === 'failed') return <LoadingError {...state} />
  if (state.step === 'none') return <NoPhotos />
  return <Found {...state} />
}

function Processing() {
  return (
    <div role="status">
      <EmptyState icon={<Spinner className="size-10" />} level={1} title="Processing Your Photo">
        Please wait while we search for your photos...
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
        title="Loading Error"
        action={
          <>
            <Button look={failure.isGone ? 'secondary' : 'primary'} onClick={reload}>
              Reload Results
            </Button>
            <NewSearch look={failure.isGone ? 'primary' : 'secondary'} />
          </>
        }
      >
        <p>{failure.message}</p>
        <p className="mt-2">
          {failure.isGone
            ? 'These results are no longer available: for your privacy they are deleted soon after they are shown. A new search finds your photos again.'
            : 'The results could not be loaded. Please try again in a moment.'}
        </p>
      </EmptyState>
    </div>
  )
}

function InvalidRequest() {
  return (
    <EmptyState
      icon={<AlertIcon className="size-10" />}
      level={1}
      title="Invalid Request"
      action={<NewSearch />}
    >
      No submission ID provided.
    </EmptyState>
  )
}

function NoPhotos() {
  return (
    <div role="status">
      <EmptyState
        icon={<SearchIcon className="size-10" />}
        level={1}
        title="No Photos Found"
        action={<NewSearch>Try Another Photo</NewSearch>}
      >
        We did not find you in these photos. You may not be in them, or the selfie was not clear enough: face
        the camera, in good light, on your own.
      </EmptyState>
    </div>
  )
}

function Found(found: Extract<ResultsState, { step: 'found' }>) {
  const isExpired = usePhotoLinks(found.issued)
  if (!isExpired) return <ResultsGallery {...found} />
  return (
    <div role="status">
      <EmptyState
        icon={<AlertIcon className="size-10" />}
        level={1}
        title="These results have expired"
        action={<NewSearch />}
      >
        For your privacy, links to photos end after an hour. A new search finds your photos again.
      </EmptyState>
    </div>
  )
}

function NewSearch({
  look,
  children = 'Start New Search',
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
