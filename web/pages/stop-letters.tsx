import { useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles, stopLetters as texts } from '../../src/texts/english.ts'
import { LinkOutcome } from '../features/letters/link-outcome.tsx'
import { failureOf, failureText } from '../lib/failure.ts'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

export default function StopLettersPage() {
  usePageHead(PAGES.stopLetters, pageTitles.stopLetters)
  const [token] = useState(readToken)
  const stop = trpc.letters.stop.useMutation()
  const isUnknown = token === '' || failureOf(stop.error)?.status === 404

  if (isUnknown)
    return (
      <LinkOutcome isGood={false} title={texts.unknownLink} takesFocus={token !== ''}>
        {texts.unknownLinkText}
      </LinkOutcome>
    )
  if (stop.data)
    return (
      <LinkOutcome isGood title={stop.data.hadEnded ? texts.hadStopped : texts.stopped}>
        {texts.stoppedText}
      </LinkOutcome>
    )
  return (
    <Page width="form">
      <Card>
        <h1 className="text-title font-bold">{texts.title}</h1>
        <p className="mt-3 text-lg text-ink-soft">{texts.text}</p>
        {stop.isError && (
          <Notice tone="error" className="mt-6" title={texts.failed}>
            {failureText(stop.error)}
          </Notice>
        )}
        <Button
          size="lg"
          className="mt-6 w-full"
          busy={stop.isPending}
          disabled={stop.isPending}
          onClick={() => stop.mutate({ token })}
        >
          {stop.isPending ? texts.stopping : texts.stop}
        </Button>
      </Card>
    </Page>
  )
}

/** The token of the letter's link: behind the `#`, or in the query when a mail program has opened the address in the
 *  letter's header. It stays in the address, so that the page can be reloaded. It can only end these letters. */
function readToken(): string {
  const { hash, search } = window.location
  return hash.slice(1) || (new URLSearchParams(search).get('token') ?? '')
}
