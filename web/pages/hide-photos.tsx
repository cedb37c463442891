import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import type { WishOutput } from '../../src/contract/take-out.ts'
import { pageTitles } from '../../src/texts/english.ts'
import { failureOf, failureText } from '../lib/failure.ts'
import { countOf } from '../lib/format.ts'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { buttonLook } from '../ui/button-look.ts'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { AlertIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
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
  if (!token || failureOf(error)?.status === 404) return <UnknownLink />
  const wish = answer.data ?? read.data
  return (
    <Page width="read">
      <Card>
        <h1 className="text-title font-bold">A guest asks you to hide photos</h1>
        {wish ? (
          <Wish wish={wish} isAnswered={answer.isSuccess} />
        ) : (
          !read.isError && <Skeleton className="mt-4 h-24 rounded-lg" />
        )}
        {error && (
          <Notice
            tone="error"
            className="mt-6"
            title={answer.isError ? 'Your answer could not be saved' : 'The photos could not be loaded'}
          >
            {failureText(error)}
          </Notice>
        )}
        {read.isError && !wish ? (
          <Button className="mt-6" onClick={() => mutate({ token })}>
            Try again
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
  const photos = countOf(count, 'photo')
  return (
    <>
      <p className="mt-3 text-lg text-ink-soft">
        It is about {photos} of your album <bdi>“{displayName}”</bdi>. Hidden photos are shown to nobody: no
        search finds them, and nobody can download them. They stay in the album, and you can show them again.
      </p>
      {answer && (
        <Notice tone={isAnswered ? 'success' : 'info'} className="mt-5">
          {answer === 'hide' ? `The ${photos} are hidden.` : `The ${photos} are shown.`}
        </Notice>
      )}
      {thumbUrls.length > 0 && (
        <div className="mt-5 grid grid-cols-3 gap-2 sm:grid-cols-5">
          {thumbUrls.map((url, index) => (
            <img
              key={url}
              src={url}
              alt={`Number ${index + 1}`}
              loading="lazy"
              className="aspect-square w-full rounded-md bg-sunken object-cover"
            />
          ))}
        </div>
      )}
      {thumbUrls.length > 0 && thumbUrls.length < count && (
        <p className="mt-2 text-sm text-ink-soft">These are {thumbUrls.length} of them.</p>
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
          Hide {countOf(wish.count, 'photo')}
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
          {wish.answer === 'hide' ? 'Show them again' : 'Keep them'}
        </Button>
      )}
    </div>
  )
}

function UnknownLink() {
  return (
    <Page>
      <EmptyState
        icon={<AlertIcon className="size-10" />}
        level={1}
        title="This link is not valid"
        action={
          <Link to="/" className={buttonLook('secondary')}>
            Back to Home
          </Link>
        }
      >
        Please open the whole link from the letter. The album may have been erased.
      </EmptyState>
    </Page>
  )
}
