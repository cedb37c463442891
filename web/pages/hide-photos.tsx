import { useEffect, useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import type { WishOutput } from '../../src/contract/take-out.ts'
import { common, pageTitles, hidePhotos as texts } from '../../src/texts/english.ts'
import { LinkOutcome } from '../features/letters/link-outcome.tsx'
import { failureOf, failureText } from '../lib/failure.ts'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Here the owner answers a guest who asks to hide photos. */
export default function HidePhotosPage() {
  usePageHead(PAGES.hidePhotos, pageTitles.hidePhotos)
  const [{ token, isYes }] = useState(readLink)
  const read = trpc.wishes.read.useMutation()
  const answer = trpc.wishes.answer.useMutation()
  const { mutate } = read
  useEffect(() => {
    if (token) mutate({ token })
  }, [token, mutate])

  const error = answer.error ?? read.error
  if (!token || failureOf(error)?.status === 404)
    return (
      <LinkOutcome isGood={false} title={texts.unknownLink} takesFocus={answer.isError}>
        {texts.unknownLinkText}
      </LinkOutcome>
    )
  const wish = answer.data ?? read.data
  return (
    <Page width="read">
      <Card>
        <h1 className="text-title font-bold">{texts.title}</h1>
        {wish ? (
          <Wish wish={wish} isAnswered={answer.isSuccess} />
        ) : (
          !read.isError && <Skeleton className="mt-4 h-24 rounded-lg" />
        )}
        {error && (
          <Notice tone="error" className="mt-6" title={answer.isError ? texts.notSaved : texts.notLoaded}>
            {failureText(error)}
          </Notice>
        )}
        {read.isError && !wish ? (
          <Button className="mt-6" onClick={() => mutate({ token })}>
            {common.tryAgain}
          </Button>
        ) : (
          wish && (
            <Answers
              wish={wish}
              suggestsHiding={isYes}
              isBusy={answer.isPending}
              onAnswer={(choice) => answer.mutate({ token, answer: choice })}
            />
          )
        )}
      </Card>
    </Page>
  )
}

/** What the letter's link says, behind the `#`. It stays in the address, so that the page can be reloaded. */
function readLink(): { token: string; isYes: boolean } {
  const [, answer, token = ''] = /^#(yes|no)=(.*)$/.exec(window.location.hash) ?? []
  return { token, isYes: answer === 'yes' }
}

function Wish({ wish, isAnswered }: { wish: WishOutput; isAnswered: boolean }) {
  const { displayName, count, answer, thumbUrls } = wish
  return (
    <>
      <p className="mt-3 text-lg text-ink-soft">
        <Sentence of={texts.about(count, displayName, (name) => <bdi>{name}</bdi>)} />
      </p>
      {answer && (
        <Notice tone={isAnswered ? 'success' : 'info'} className="mt-5">
          {answer === 'hide' ? texts.areHidden(count) : texts.areShown(count)}
        </Notice>
      )}
      {thumbUrls.length > 0 && (
        <div className="mt-5 grid grid-cols-3 gap-2 sm:grid-cols-5">
          {thumbUrls.map((url, index) => (
            <img
              key={url}
              src={url}
              alt={texts.number(index + 1)}
              loading="lazy"
              className="aspect-square w-full rounded-md bg-sunken object-cover"
            />
          ))}
        </div>
      )}
      {thumbUrls.length > 0 && thumbUrls.length < count && (
        <p className="mt-2 text-sm text-ink-soft">{texts.these(thumbUrls.length)}</p>
      )}
    </>
  )
}

interface AnswersProps {
  wish: WishOutput
  /** Which answer the link in the letter has. */
  suggestsHiding: boolean
  isBusy: boolean
  onAnswer: (answer: 'hide' | 'show') => void
}

function Answers({ wish, suggestsHiding, isBusy, onAnswer }: AnswersProps) {
  const look = (isSuggested: boolean) => (isSuggested ? 'primary' : 'secondary')
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      {wish.answer !== 'hide' && (
        <Button
          size="lg"
          look={look(suggestsHiding || wish.answer !== null)}
          busy={isBusy}
          disabled={isBusy}
          onClick={() => onAnswer('hide')}
          className="max-sm:w-full"
        >
          {texts.hide(wish.count)}
        </Button>
      )}
      {wish.answer !== 'show' && (
        <Button
          size="lg"
          look={look(!suggestsHiding && wish.answer === null)}
          busy={isBusy && wish.answer === 'hide'}
          disabled={isBusy}
          onClick={() => onAnswer('show')}
          className="max-sm:w-full"
        >
          {wish.answer === 'hide' ? texts.showAgain : texts.keep}
        </Button>
      )}
    </div>
  )
}
