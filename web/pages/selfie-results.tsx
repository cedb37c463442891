import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import * as pageTitles from '../../src/texts/english/page-titles.ts'
import { selfieResults as texts } from '../../src/texts/english/submissions.ts'
import * as common from '../../src/texts/english/words.ts'
import { usePhotoLinks } from '../features/photos/use-photo-links.ts'
import { Results } from '../features/selfie/results.tsx'
import { type FoundState, useResults } from '../features/selfie/use-results.ts'
import { usePageHead } from '../lib/page-head.ts'
import { useOfflineApp } from '../lib/use-offline-app.ts'
import { Button } from '../ui/button.tsx'
import { buttonLook, type Look } from '../ui/button-look.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { AlertIcon } from '../ui/icons.tsx'
import { SearchIcon, Spinner } from '../ui/more-icons.tsx'
import { Page } from '../ui/page.tsx'

export default function SelfieResultsPage() {
  const { id } = useParams({ from: '/data/selfie/results/{-$id}' })
  usePageHead('selfieResults', pageTitles.selfieResults)
  useOfflineApp()
  return <Page>{id ? <Submission key={id} id={id} /> : <Said title={texts.invalid}>{texts.noId}</Said>}</Page>
}

function Submission({ id }: { id: string }) {
  const state = useResults(id)
  switch (state.step) {
    case 'processing':
      return (
        <Said role="status" icon={<Spinner className="size-10" />} title={texts.processing} action={null}>
          {texts.pleaseWait}
        </Said>
      )
    case 'failed': {
      const { failure, reload } = state
      const [first, second] = failure.isGone
        ? (['secondary', 'primary'] as const)
        : (['primary', 'secondary'] as const)
      const action = (
        <>
          <Button look={first} onClick={reload}>
            {texts.reload}
          </Button>
          <NewSearch look={second} />
        </>
      )
      return (
        <Said role="alert" title={texts.notLoaded} action={action}>
          <p>{failure.message}</p>
          <p className="mt-2">{failure.isGone ? texts.gone : texts.notLoadedText}</p>
        </Said>
      )
    }
    case 'none':
      return <NoPhotos />
    // The service was too busy, or had stopped.
    case 'unmatched':
      return (
        <Said role="alert" title={texts.notMatched} action={<NewSearch label={common.tryAgain} />}>
          {texts.notMatchedText}
        </Said>
      )
    default:
      return <Found {...state} />
  }
}

function Found(found: FoundState) {
  const isExpired = usePhotoLinks(found.issued)
  const [isRefused, setRefused] = useState(false)
  if (!isExpired && !isRefused)
    return <Results {...found} nothing={<NoPhotos />} onRefused={() => setRefused(true)} />
  return (
    <Said role="status" title={texts.expired}>
      {isExpired ? texts.expiredText : texts.refusedText}
    </Said>
  )
}

const NoPhotos = () => (
  <Said
    role="status"
    icon={<SearchIcon className="size-10" />}
    title={texts.none}
    action={<NewSearch label={texts.another} />}
  >
    {texts.noneText}
  </Said>
)

interface SaidProps {
  /** How a screen reader reads it. Missing where the page begins with it. */
  role?: 'status' | 'alert'
  icon?: ReactNode
  title: string
  action?: ReactNode
  children: ReactNode
}

/** What the page says in place of photos. */
function Said({ role, icon, title, action = <NewSearch />, children }: SaidProps) {
  return (
    <div role={role}>
      <EmptyState icon={icon ?? <AlertIcon className="size-10" />} level={1} title={title} action={action}>
        {children}
      </EmptyState>
    </div>
  )
}

const NewSearch = ({ look, label = common.startNewSearch }: { look?: Look; label?: string }) => (
  <Link to="/selfie" className={buttonLook(look)}>
    {label}
  </Link>
)
