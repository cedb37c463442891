import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ConfirmedAlert } from '../../src/contract/alerts.ts'
import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles, photoLetters as texts } from '../../src/texts/english.ts'
import { LinkOutcome } from '../features/letters/link-outcome.tsx'
import { failureOf, failureText, serverMessage } from '../lib/failure.ts'
import { formatDate } from '../lib/format.ts'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { buttonLook } from '../ui/button-look.ts'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'

/** Here guests confirm that they want letters about new photos of them, and end these letters. */
export default function PhotoLettersPage() {
  usePageHead(PAGES.photoLetters, pageTitles.photoLetters)
  const [{ use, token }] = useState(readLink)
  const confirm = trpc.alerts.confirm.useMutation()
  const end = trpc.alerts.end.useMutation()
  const call = use === 'confirm' ? confirm : end
  const status = failureOf(call.error)?.status

  if (token === '' || status === 404)
    return (
      <LinkOutcome isGood={false} title={texts.unknownLink} takesFocus={token !== ''}>
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
  const { title, text, label, busy, failed } = QUESTIONS[use]
  return (
    <Page width="form">
      <Card>
        <h1 className="text-title font-bold">{title}</h1>
        <p className="mt-3 text-lg text-ink-soft">{text}</p>
        {call.isError && (
          <Notice tone="error" className="mt-6" title={failed}>
            {failureText(call.error)}
          </Notice>
        )}
        <Button
          size="lg"
          className="mt-6 w-full"
          busy={call.isPending}
          disabled={call.isPending}
          onClick={() => call.mutate({ token })}
        >
          {call.isPending ? busy : label}
        </Button>
      </Card>
    </Page>
  )
}

type Use = 'confirm' | 'end' | 'refuse'

const ENDING = { label: texts.endLetters, busy: texts.ending, failed: texts.notEnded }

const QUESTIONS: Record<Use, { title: string; text: string; label: string; busy: string; failed: string }> = {
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

/** The link of a letter: the token is behind the `#`, or in the query when a mail program has opened the address in the
 *  letter's header. It stays in the address, so that the page can be reloaded. */
function readLink(): { use: Use; token: string } {
  const { hash, search } = window.location
  const [, use, token] = /^#(confirm|end|refuse)=(.*)$/.exec(hash) ?? []
  if (use && token) return { use: use as Use, token }
  return { use: 'end', token: new URLSearchParams(search).get('token') ?? '' }
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
