import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { HideRequestOutput } from '../../src/contract/opt-outs.ts'
import { PAGES } from '../../src/contract/pages.ts'
import { common, pageTitles, hidePhotos as texts } from '../../src/texts/english.ts'
import { forEachLink } from '../features/letters/for-each-link.tsx'
import { LinkOutcome } from '../features/letters/link-outcome.tsx'
import type { PhotoLoading } from '../features/photos/grid/photo-tile.tsx'
import { pathOf } from '../features/photos/photo-path.ts'
import { PhotoThumb } from '../features/photos/photo-thumb.tsx'
import { renewAfterFailure, usePhotoLinks } from '../features/photos/use-photo-links.ts'
import { failureOf, failureText } from '../lib/failure.ts'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

export default forEachLink(HidePhotosPage)

/** Here the owner answers a guest who asks to hide photos. */
function HidePhotosPage() {
  usePageHead(PAGES.hidePhotos, pageTitles.hidePhotos)
  const [{ token, isYes }] = useState(readLink)
  const queries = useQueryClient()
  const { client } = trpc.useUtils()
  const queryKey = ['hide-request', token]
  const read = useQuery({
    queryKey,
    queryFn: () => client.optOuts.readHideRequest.mutate({ token }),
    enabled: token !== '',
    staleTime: 0,
  })
  const answer = trpc.optOuts.answerHideRequest.useMutation({
    onSuccess: (request) => queries.setQueryData(queryKey, request),
  })
  const { data: request, dataUpdatedAt: issued } = read
  // A call that is running goes on.
  const readAgain = () => void read.refetch({ cancelRefetch: false })
  usePhotoLinks(request?.thumbUrls.length ? issued : undefined, readAgain)
  const loading: PhotoLoading = {
    issued,
    isRenewing: read.isFetching,
    onFail: () => renewAfterFailure(issued, request && { thumbUrl: request.thumbUrls[0]! }, readAgain),
    onRetry: readAgain,
  }

  const error = answer.error ?? read.error
  if (!token || failureOf(error)?.status === 404)
    return (
      <LinkOutcome isGood={false} title={texts.unknownLink} takesFocus={answer.isError}>
        {texts.unknownLinkText}
      </LinkOutcome>
    )
  return (
    <Page width="read">
      <Card>
        <h1 className="text-title font-bold">{texts.title}</h1>
        {request ? (
          <Request request={request} isAnswered={answer.isSuccess} loading={loading} />
        ) : (
          !read.isError && <Skeleton className="mt-4 h-24 rounded-lg" />
        )}
        {error && (
          <Notice tone="error" className="mt-6" title={answer.isError ? texts.notSaved : texts.notLoaded}>
            {failureText(error)}
          </Notice>
        )}
        {read.isError && !request ? (
          <Button className="mt-6" onClick={readAgain}>
            {common.tryAgain}
          </Button>
        ) : (
          request && (
            <Answers
              request={request}
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

interface RequestProps {
  request: HideRequestOutput
  isAnswered: boolean
  /** How the addresses of its photos are doing. */
  loading: PhotoLoading
}

function Request({ request, isAnswered, loading }: RequestProps) {
  const { displayName, count, answer, thumbUrls } = request
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
        <div className="mt-5 grid grid-cols-2 gap-2 sm:grid-cols-4">
          {thumbUrls.map((url, index) => (
            <PhotoThumb
              key={pathOf({ url })}
              src={url}
              alt={texts.photo(index + 1)}
              filename={texts.photo(index + 1)}
              {...loading}
              className="aspect-square rounded-md"
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
  request: HideRequestOutput
  /** Whether the link in the letter is the one for hiding. */
  suggestsHiding: boolean
  isBusy: boolean
  onAnswer: (answer: 'hide' | 'show') => void
}

function Answers({ request, suggestsHiding, isBusy, onAnswer }: AnswersProps) {
  const look = (isSuggested: boolean) => (isSuggested ? 'primary' : 'secondary')
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      {request.answer !== 'hide' && (
        <Button
          size="lg"
          look={look(suggestsHiding || request.answer !== null)}
          busy={isBusy}
          disabled={isBusy}
          onClick={() => onAnswer('hide')}
          className="max-sm:w-full"
        >
          {texts.hide(request.count)}
        </Button>
      )}
      {request.answer !== 'show' && (
        <Button
          size="lg"
          look={look(!suggestsHiding && request.answer === null)}
          busy={isBusy && request.answer === 'hide'}
          disabled={isBusy}
          onClick={() => onAnswer('show')}
          className="max-sm:w-full"
        >
          {request.answer === 'hide' ? texts.showAgain : texts.keep}
        </Button>
      )}
    </div>
  )
}
