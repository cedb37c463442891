import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { notOpen as texts } from '../../../../src/texts/english/album-gate.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { failureText } from '../../../lib/failure.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonLook } from '../../../ui/button-look.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { AlertIcon } from '../../../ui/icons.tsx'
import { SearchIcon } from '../../../ui/more-icons.tsx'
import { Page } from '../../../ui/page.tsx'
import type { Visit } from './use-visit.ts'

type FailedVisit = Extract<Visit, { step: 'failed' }>

/** Says why there is no album to see. */
export default function NotOpen({ visit }: { visit: FailedVisit | { step: 'not-found' } }) {
  return visit.step === 'failed' ? <CannotOpen {...visit} /> : <NotFound />
}

/** A page that was opened without a network comes back by itself. */
function CannotOpen({ error, retry }: FailedVisit) {
  useEffect(() => {
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [retry])
  return (
    <Page>
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
    </Page>
  )
}

function NotFound() {
  return (
    <Page>
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
    </Page>
  )
}
