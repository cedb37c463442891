import { Link } from '@tanstack/react-router'
import { notOpen as texts } from '../../../../src/texts/english/album-gate.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { failureText } from '../../../lib/failure.ts'
import { formatMoment } from '../../../lib/format.ts'
import { useTryAgain } from '../../../lib/use-try-again.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonLook } from '../../../ui/button-look.ts'
import { AlertIcon } from '../../../ui/icons.tsx'
import { LockIcon, SearchIcon } from '../../../ui/more-icons.tsx'
import { MessagePage } from '../../../ui/page.tsx'
import type { Visit } from './use-visit.ts'

/** Says why there is no album to see. */
export default function NotOpen({
  visit,
}: {
  visit: Extract<Visit, { step: 'failed' | 'shut' | 'not-found' }>
}) {
  if (visit.step === 'failed') return <CannotOpen {...visit} />
  if (visit.step === 'not-found')
    return (
      <MessagePage
        icon={<SearchIcon className="size-10" />}
        title={texts.notFound}
        action={
          <Link to="/albums" className={buttonLook('secondary')}>
            {texts.browseAlbums}
          </Link>
        }
      >
        {texts.notFoundText}
      </MessagePage>
    )
  const { opensAt } = visit
  return (
    <MessagePage
      icon={<LockIcon className="size-10" />}
      takesFocus
      title={opensAt === null ? texts.closed : texts.opensOn(formatMoment(opensAt))}
    >
      {opensAt === null ? texts.closedText : texts.opensOnText}
    </MessagePage>
  )
}

/** A page that was opened without a network comes back by itself. */
function CannotOpen({ error, retry }: Extract<Visit, { step: 'failed' }>) {
  useTryAgain(1, retry)
  return (
    <div role="alert">
      <MessagePage
        icon={<AlertIcon className="size-10" />}
        title={texts.notOpened}
        action={<Button onClick={() => retry()}>{common.tryAgain}</Button>}
      >
        {failureText(error, texts.notFoundReason)}
      </MessagePage>
    </div>
  )
}
