import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ConfirmedAlert } from '../../src/contract/alerts.ts'
import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles } from '../../src/texts/english/common.ts'
import { photoLetters as texts } from '../../src/texts/english/opt-outs.ts'
import { CutOffLink } from '../features/letters/cut-off-link.tsx'
import { forEachLink } from '../features/letters/for-each-link.tsx'
import { LinkOutcome } from '../features/letters/link-outcome.tsx'
import { LinkQuestion, type Question } from '../features/letters/link-question.tsx'
import { readLetterLink } from '../features/letters/read-letter-link.ts'
import { failureOf, serverMessage } from '../lib/failure.ts'
import { formatDate } from '../lib/format.ts'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'
import { buttonLook } from '../ui/button-look.ts'
import { Sentence } from '../ui/sentence.tsx'

export default forEachLink(PhotoLettersPage)

/** Here guests confirm that they want letters about new photos of them, and end these letters. */
function PhotoLettersPage() {
  usePageHead(PAGES.photoLetters, pageTitles.photoLetters)
  const [{ use, token }] = useState(readLink)
  const confirm = trpc.alerts.confirm.useMutation()
  const end = trpc.alerts.end.useMutation()
  const call = use === 'confirm' ? confirm : end
  const status = failureOf(call.error)?.status

  if (token === '') return <CutOffLink />
  if (status === 404)
    return (
      <LinkOutcome isGood={false} title={texts.unknownLink}>
        {texts.unknownLinkText}
      </LinkOutcome>
    )
  if (status === 409)
    return (
      <LinkOutcome isGood={false} title={texts.tooLate}>
        {serverMessage(call.error)}
      </LinkOutcome>
    )
  if (confirm.data) return <Confirmed {...confirm.data} />
  if (end.data)
    return (
      <LinkOutcome isGood title={texts.ended}>
        {texts.endedText}
      </LinkOutcome>
    )
  return (
    <LinkQuestion
      question={QUESTIONS[use]}
      isBusy={call.isPending}
      error={call.error}
      onYes={() => call.mutate({ token })}
    />
  )
}

type Use = 'confirm' | 'end' | 'refuse'

const ENDING = { label: texts.endLetters, busy: texts.ending, failed: texts.notEnded }

const QUESTIONS: Record<Use, Question> = {
  confirm: {
    title: texts.confirm,
    text: texts.confirmText,
    label: texts.yes,
    busy: texts.confirming,
    failed: texts.notConfirmed,
  },
  end: {
    ...ENDING,
    title: texts.end,
    text: texts.endText,
  },
  refuse: {
    ...ENDING,
    title: texts.refuse,
    text: texts.refuseText,
  },
}

/** The address in a letter's header ends the letters. */
function readLink(): { use: Use; token: string } {
  const { fragment, queryToken } = readLetterLink()
  const [, use, token] = /^(confirm|end|refuse)=(.*)$/.exec(fragment) ?? []
  if (use && token) return { use: use as Use, token }
  return { use: 'end', token: queryToken }
}

function Confirmed({ displayName, albumName, endsAt }: ConfirmedAlert) {
  return (
    <LinkOutcome
      isGood
      title={texts.confirmed}
      action={
        <Link to="/album/$albumName" params={{ albumName }} className={buttonLook('secondary')}>
          {texts.openAlbum}
        </Link>
      }
    >
      <Sentence of={texts.confirmedText(displayName, formatDate(endsAt), (name) => <bdi>{name}</bdi>)} />
    </LinkOutcome>
  )
}
