import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OptOutsOutput } from '../../src/contract/opt-outs.ts'
import { PAGES } from '../../src/contract/pages.ts'
import { optOutsPage as texts } from '../../src/texts/english/opt-outs.ts'
import * as pageTitles from '../../src/texts/english/page-titles.ts'
import * as common from '../../src/texts/english/words.ts'
import { CutOffLink, forEachLink, LinkOutcome } from '../features/letters/link-page.tsx'
import { type Answer, OptOutDays } from '../features/letters/opt-out-days.tsx'
import type { PhotoLoading } from '../features/photos/grid/photo-tile.tsx'
import { renewAfterFailure, usePhotoLinks } from '../features/photos/use-photo-links.ts'
import { failureOf, failureText } from '../lib/failure.ts'
import { focusContent, isFocusLost } from '../lib/focus.ts'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** The most opt-outs that one call may change. */
const MOST = 500

export default forEachLink(OptOutsPage)

/** Here the owner sees the opt-outs of an album in numbers, revokes them, and answers who asks to hide photos. */
function OptOutsPage() {
  usePageHead(PAGES.optOuts, pageTitles.optOuts)
  // It stays in the address, so that the page can be reloaded.
  const [token] = useState(() => window.location.hash.slice(1))
  const [asked, setAsked] = useState<Answer>()
  const queries = useQueryClient()
  const { client } = trpc.useUtils()
  const queryKey = ['opt-outs', token]
  const read = useQuery({
    queryKey,
    queryFn: () => client.optOuts.list.mutate({ token }),
    enabled: token !== '',
    staleTime: 0,
  })
  const answer = trpc.optOuts.answer.useMutation({
    onSuccess: (list) => queries.setQueryData(queryKey, list),
    onSettled: () => isFocusLost() && focusContent(),
  })
  const { dataUpdatedAt: issued } = read
  const thumbUrl = read.data?.optOuts.flatMap(({ hiding }) => hiding?.thumbUrls ?? [])[0]
  // A call that is running goes on.
  const readAgain = () => void read.refetch({ cancelRefetch: false })
  usePhotoLinks(thumbUrl === undefined ? undefined : issued, readAgain)
  const loading: PhotoLoading = {
    issued,
    isRenewing: read.isFetching,
    onFail: () => renewAfterFailure(issued, thumbUrl === undefined ? undefined : { thumbUrl }, readAgain),
    onRetry: readAgain,
  }
  const error = answer.error ?? read.error

  function send({ change, optOuts }: Answer) {
    setAsked(undefined)
    answer.mutate({ token, change, ids: optOuts.slice(0, MOST).map(({ id }) => id) })
  }

  if (!token) return <CutOffLink />
  if (failureOf(error)?.status === 404)
    return <LinkOutcome title={texts.unknownLink} text={texts.unknownLinkText} takesFocus={answer.isError} />
  return (
    <Page width="read">
      <Card>
        <h1 className="text-title font-bold">{texts.title}</h1>
        {read.data ? (
          <List
            list={read.data}
            isBusy={answer.isPending}
            onAnswer={(given) => (given.change === 'revoke' ? setAsked(given) : send(given))}
            loading={loading}
          />
        ) : (
          !read.isError && <Skeleton className="mt-4 h-24 rounded-lg" />
        )}
        {answer.isSuccess && (
          <Notice tone="success" className="mt-6">
            {texts.saved}
          </Notice>
        )}
        {error && (
          <Notice tone="error" className="mt-6" title={answer.isError ? texts.notSaved : texts.notLoaded}>
            {failureText(error)}
          </Notice>
        )}
        {read.isError && !read.data && (
          <Button className="mt-6" onClick={() => void read.refetch()}>
            {common.tryAgain}
          </Button>
        )}
      </Card>
      {asked && <Warning asked={asked} onYes={() => send(asked)} onCancel={() => setAsked(undefined)} />}
    </Page>
  )
}

interface ListProps {
  list: OptOutsOutput
  isBusy: boolean
  onAnswer: (answer: Answer) => void
  loading: PhotoLoading
}

function List({ list: { displayName, optOuts }, ...rest }: ListProps) {
  if (optOuts.length === 0) return <p className="mt-3 text-lg text-ink-soft">{texts.none}</p>
  return (
    <>
      <p className="mt-3 text-lg text-ink-soft">
        <Sentence of={texts.about(displayName, (name) => <bdi>{name}</bdi>)} />
      </p>
      <OptOutDays optOuts={optOuts} {...rest} />
    </>
  )
}

interface WarningProps {
  asked: Answer
  onYes: () => void
  onCancel: () => void
}

/** Says what it means to revoke, before it happens. */
function Warning({ asked: { optOuts }, onYes, onCancel }: WarningProps) {
  const faces = optOuts.reduce((sum, optOut) => sum + optOut.faces, 0)
  return (
    <ConfirmDialog
      title={texts.confirmRevoke}
      stay={{ label: common.cancel, onClick: onCancel }}
      leave={{ label: texts.revoke, onClick: onYes }}
    >
      {texts.meaning(faces)}
    </ConfirmDialog>
  )
}
