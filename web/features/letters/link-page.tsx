import { Link, useLocation } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { letterLink } from '../../../src/texts/english/opt-outs.ts'
import * as common from '../../../src/texts/english/words.ts'
import type { Sentence as Parts } from '../../../src/texts/sentence.ts'
import { failureOf, serverMessage } from '../../lib/failure.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { Card } from '../../ui/card.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { FailureNotice } from '../../ui/loading.tsx'
import { CheckIcon } from '../../ui/more-icons.tsx'
import { MessagePage, Page } from '../../ui/page.tsx'
import { Sentence } from '../../ui/sentence.tsx'

/** The link of a letter that has led here. The token is behind the `#`, or in the query when a mail program has opened the
 *  address in the letter's header. It stays in the address, so that the page can be reloaded. */
export interface LetterLink {
  fragment: string
  queryToken: string
}

/** A page that the link of a letter leads to. When another link is pasted into its tab, the browser loads no new page, so this
 *  begins the page again. */
export function letterPage(Content: ComponentType<LetterLink>) {
  return function LetterPage() {
    const key = useLocation({ select: ({ hash }) => hash })
    const { hash, search } = window.location
    const queryToken = new URLSearchParams(search).get('token') ?? ''
    return <Content key={key} fragment={hash.slice(1)} queryToken={queryToken} />
  }
}

export interface LinkPageProps<Data> {
  token: string
  call: { isPending: boolean; error: unknown; data: Data | undefined; mutate(input: { token: string }): void }
  texts: {
    /** What the link asks. */
    title: string
    text: string
    /** Of the button, and while its work is running. */
    label: string
    busy: string
    failed: string
    /** Of links that the service does not know, and of those that come too late. */
    unknownLink: string
    unknownLinkText: string
    tooLate?: string
  }
  outcome: (data: Data) => LinkOutcomeProps
}

/** Asks whether a link in a letter is meant, and says what has happened then. Programs that check the links of a letter open
 *  it, too, but press no button. */
export function LinkPage<Data>({ token, call, texts, outcome }: LinkPageProps<Data>) {
  const status = failureOf(call.error)?.status
  // Some programs that check links cut them off. Nothing is asked of the service, so it counts as no guess.
  if (token === '')
    return <LinkOutcome title={letterLink.cutOff} text={letterLink.cutOffText} takesFocus={false} />
  if (status === 404) return <LinkOutcome title={texts.unknownLink} text={texts.unknownLinkText} />
  if (status === 409 && texts.tooLate)
    return <LinkOutcome title={texts.tooLate} text={serverMessage(call.error)} />
  if (call.data !== undefined) return <LinkOutcome isGood {...outcome(call.data)} />
  return (
    <Page width="form">
      <Card>
        <h1 className="text-title font-bold">{texts.title}</h1>
        <p className="mt-3 text-lg text-ink-soft">{texts.text}</p>
        <FailureNotice error={call.error} className="mt-6" title={texts.failed} />
        <Button
          size="lg"
          className="mt-6 w-full"
          busy={call.isPending}
          onClick={() => call.mutate({ token })}
        >
          {call.isPending ? texts.busy : texts.label}
        </Button>
      </Card>
    </Page>
  )
}

export interface LinkOutcomeProps {
  isGood?: boolean
  title: ReactNode
  text: ReactNode
  /** False when the page begins with it. Otherwise it replaces the button that had the focus. */
  takesFocus?: boolean
  /** The way to an album; the way home by default. */
  albumName?: string
}

/** The whole page behind a link in a letter. It says what has happened. */
export function LinkOutcome({ isGood = false, title, text, takesFocus = true, albumName }: LinkOutcomeProps) {
  const look = buttonLook('secondary')
  return (
    <MessagePage
      icon={isGood ? <CheckIcon className="size-10" /> : <AlertIcon className="size-10" />}
      takesFocus={takesFocus}
      title={title}
      action={
        albumName ? (
          <Link to="/album/$albumName" params={{ albumName }} className={look}>
            {letterLink.openAlbum}
          </Link>
        ) : (
          <Link to="/" className={look}>
            {common.backToHome}
          </Link>
        )
      }
    >
      {text}
    </MessagePage>
  )
}

/** A sentence about an album, whose name may be written in another direction. */
export const aboutAlbum = (sentence: (name: (text: string) => ReactNode) => Parts<ReactNode>) => (
  <Sentence of={sentence((name) => <bdi>{name}</bdi>)} />
)
