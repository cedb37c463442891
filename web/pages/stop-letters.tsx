import { useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles } from '../../src/texts/english/common.ts'
import { stopLetters as texts } from '../../src/texts/english/opt-outs.ts'
import { CutOffLink } from '../features/letters/cut-off-link.tsx'
import { forEachLink } from '../features/letters/for-each-link.tsx'
import { LinkOutcome } from '../features/letters/link-outcome.tsx'
import { LinkQuestion, type Question } from '../features/letters/link-question.tsx'
import { readLetterLink } from '../features/letters/read-letter-link.ts'
import { failureOf } from '../lib/failure.ts'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'

export default forEachLink(StopLettersPage)

function StopLettersPage() {
  usePageHead(PAGES.stopLetters, pageTitles.stopLetters)
  const [token] = useState(readToken)
  const stop = trpc.letters.stop.useMutation()

  if (token === '') return <CutOffLink />
  if (failureOf(stop.error)?.status === 404)
    return (
      <LinkOutcome isGood={false} title={texts.unknownLink}>
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
    <LinkQuestion
      question={QUESTION}
      isBusy={stop.isPending}
      error={stop.error}
      onYes={() => stop.mutate({ token })}
    />
  )
}

const QUESTION: Question = {
  title: texts.title,
  text: texts.text,
  label: texts.stop,
  busy: texts.stopping,
  failed: texts.failed,
}

/** It can only end these letters. */
function readToken(): string {
  const { fragment, queryToken } = readLetterLink()
  return fragment || queryToken
}
