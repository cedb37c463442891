import { Link, useParams, useSearch } from '@tanstack/react-router'
import { notOpen as texts } from '../../../../src/texts/english/album-gate.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { failureText } from '../../../lib/failure.ts'
import { formatMoment } from '../../../lib/format.ts'
import { useTryAgain } from '../../../lib/use-try-again.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonLook } from '../../../ui/button-look.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { AlertIcon } from '../../../ui/icons.tsx'
import { LockIcon, SearchIcon } from '../../../ui/more-icons.tsx'
import { Page } from '../../../ui/page.tsx'
import { GuestBar } from './guest-bar.tsx'
import type { Visit } from './use-visit.ts'

type NotOpenVisit = Extract<Visit, { step: 'failed' | 'shut' | 'not-found' }>

/** Says why there is no album to see. */
export default function NotOpen({ visit }: { visit: NotOpenVisit }) {
  return <Page>{reasonOf(visit)}</Page>
}

function reasonOf(visit: NotOpenVisit) {
  if (visit.step === 'failed') return <CannotOpen {...visit} />
  if (visit.step === 'shut') return <Shut {...visit} />
  return (
    <EmptyState
      icon={<SearchIcon className="size-10" />}
      level={1}
      title={texts.notFound}
      action={
        <Link to="/albums" className={buttonLook('secondary')}>
          {texts.browseAlbums}
        </Link>
      }
    >
      {texts.notFoundText}
    </EmptyState>
  )
}

/** A page that was opened without a network comes back by itself. */
function CannotOpen({ error, retry }: Extract<Visit, { step: 'failed' }>) {
  useTryAgain(1, retry)
  return (
    <div role="alert">
      <EmptyState
        icon={<AlertIcon className="size-10" />}
        level={1}
        title={texts.notOpened}
        action={<Button onClick={() => retry()}>{common.tryAgain}</Button>}
      >
        {failureText(error, texts.notFoundReason)}
      </EmptyState>
    </div>
  )
}

function Shut({ opensAt }: Extract<Visit, { step: 'shut' }>) {
  const { albumName } = useParams({ strict: false })
  const { as } = useSearch({ strict: false })
  return (
    <>
      <EmptyState
        icon={<LockIcon className="size-10" />}
        level={1}
        takesFocus
        title={opensAt === null ? texts.closed : texts.opensOn(formatMoment(opensAt))}
      >
        {opensAt === null ? texts.closedText : texts.opensOnText}
      </EmptyState>
      {as && albumName && <GuestBar albumName={albumName} />}
    </>
  )
}
