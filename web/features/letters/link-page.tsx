import { Link, useLocation } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { cutOffLink } from '../../../src/texts/english/opt-outs.ts'
import * as common from '../../../src/texts/english/words.ts'
import type { Sentence as Parts } from '../../../src/texts/sentence.ts'
import { failureOf, failureText, serverMessage } from '../../lib/failure.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { CheckIcon } from '../../ui/more-icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Sentence } from '../../ui/sentence.tsx'

/** A page whose address has a token behind the `#`. When another link is pasted into its tab, the browser loads no new
 *  page, so this begins the page again. */
export function forEachLink(Page: ComponentType): ComponentType {
  return function EachLink() {
    const hash = useLocation({ select: (location) => location.hash })
    return <Page key={hash} />
  }
}

/** The link of a letter that has led here. The token is behind the `#`, or in the query when a mail program has opened the
 *  address in the letter's header. It stays in the address, so that the page can be reloaded. */
export function readLetterLink(): { fragment: string; queryToken: string } {
  const { hash, search } = window.location
  return { fragment: hash.slice(1), queryToken: new URLSearchParams(search).get('token') ?? '' }
}

export interface LinkPageProps<Data> {
  token: string
  /** What the link asks: `busy` is the label of the button while its work is running, and `failed` a title. */
  question: { title: string; text: string; label: string; busy: string; failed: string }
  call: { isPending: boolean; error: unknown; data: Data | undefined; mutate(input: { token: string }): void }
  /** Of links that the service does not know, and of those that come too late. */
  texts: { unknownLink: string; unknownLinkText: string; tooLate?: string }
  outcome: (data: Data) => LinkOutcomeProps
}

/** Asks whether a link in a letter is meant, and says what has happened then. Programs that check the links of a letter open
 *  it, too, but press no button. */
export function LinkPage<Data>({ token, question, call, texts, outcome }: LinkPageProps<Data>) {
  const status = failureOf(call.error)?.status
  if (token === '') return <CutOffLink />
  if (status === 404) return <LinkOutcome title={texts.unknownLink} text={texts.unknownLinkText} />
  if (status === 409 && texts.tooLate)
    return <LinkOutcome title={texts.tooLate} text={serverMessage(call.error)} />
  if (call.data !== undefined) return <LinkOutcome isGood {...outcome(call.data)} />
  return (
    <Page width="form">
      <Card>
        <h1 className="text-title font-bold">{question.title}</h1>
        <p className="mt-3 text-lg text-ink-soft">{question.text}</p>
        {call.error !== null && (
          <Notice tone="error" className="mt-6" title={question.failed}>
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
          {call.isPending ? question.busy : question.label}
        </Button>
      </Card>
    </Page>
  )
}

/** The page of a link that has lost what is behind its `#`, as some programs that check links do to it. Nothing is asked of the
 *  service, so it counts as no guess. */
export const CutOffLink = () => (
  <LinkOutcome title={cutOffLink.title} text={cutOffLink.text} takesFocus={false} />
)

export interface LinkOutcomeProps {
  isGood?: boolean
  title: ReactNode
  text: ReactNode
  /** False when the page begins with it. Otherwise it replaces the button that had the focus. */
  takesFocus?: boolean
  /** The way to an album; the way home by default. */
  album?: { albumName: string; label: string }
}

/** The whole page behind a link in a letter. It says what has happened. */
export function LinkOutcome({ isGood = false, title, text, takesFocus = true, album }: LinkOutcomeProps) {
  const look = buttonLook('secondary')
  return (
    <Page>
      <EmptyState
        icon={isGood ? <CheckIcon className="size-10" /> : <AlertIcon className="size-10" />}
        level={1}
        takesFocus={takesFocus}
        title={title}
        action={
          album ? (
            <Link to="/album/$albumName" params={{ albumName: album.albumName }} className={look}>
              {album.label}
            </Link>
          ) : (
            <Link to="/" className={look}>
              {common.backToHome}
            </Link>
          )
        }
      >
        {text}
      </EmptyState>
    </Page>
  )
}

/** A sentence about an album, whose name may be written in another direction. */
export const aboutAlbum = (sentence: (name: (text: string) => ReactNode) => Parts<ReactNode>) => (
  <Sentence of={sentence((name) => <bdi>{name}</bdi>)} />
)
