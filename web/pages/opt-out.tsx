import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { optOutReceipt as texts } from '../../src/texts/english/opt-outs.ts'
import { LinkOutcome, letterPage } from '../features/letters/link-page.tsx'
import { failureOf } from '../lib/failure.ts'
import { focusContent, isFocusLost } from '../lib/focus.ts'
import { formatMoment } from '../lib/format.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { buttonLook } from '../ui/button-look.ts'
import { Card } from '../ui/card.tsx'
import { FailureNotice } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Here a guest sees what has become of an opt-out, and undoes it. The receipt is behind the `#`, where no server sees it,
 *  and stays in the address, so that the page can be reloaded. */
export default letterPage(({ fragment }) => (fragment === '' ? <NotValid /> : <Receipt receipt={fragment} />))

/** @param takesFocus it replaces the button that had the focus */
const NotValid = ({ takesFocus = false }) => (
  <LinkOutcome title={texts.invalid} text={texts.invalidText} takesFocus={takesFocus} />
)

function Receipt({ receipt }: { receipt: string }) {
  const queries = useQueryClient()
  const { client } = trpc.useUtils()
  const queryKey = ['opt-out', receipt]
  const read = useQuery({
    queryKey,
    queryFn: () => client.optOuts.read.mutate({ receipt }),
    staleTime: 0,
  })
  const undo = trpc.optOuts.undo.useMutation({
    onSuccess: (now) => queries.setQueryData(queryKey, now),
    // The faces may be erased meanwhile.
    onError: () => void read.refetch(),
    onSettled: () => isFocusLost() && focusContent(),
  })
  const { data: now } = read
  if (failureOf(undo.error ?? read.error)?.status === 404) return <NotValid takesFocus={undo.isError} />
  return (
    <Page width="read">
      <Card>
        <h1 className="text-title font-bold">{now ? texts.title[now.state] : texts.receipt}</h1>
        {now ? (
          <div role="status" className="mt-3 space-y-3 text-lg text-ink-soft">
            <p>{texts[now.state](now.faces, formatMoment(now.eraseAt))}</p>
            <p>
              <Sentence of={texts.about(now.displayName, (name) => <bdi>{name}</bdi>)} />{' '}
              {texts.asked(formatMoment(now.at))} {texts.photosStay}
            </p>
          </div>
        ) : (
          !read.isError && <Skeleton className="mt-4 h-24 rounded-lg" />
        )}
        <FailureNotice
          error={undo.error ?? read.error}
          className="mt-6"
          title={undo.isError ? texts.notUndone : texts.notLoaded}
          onRetry={now ? undefined : read.refetch}
        />
        <div className="mt-6 flex flex-wrap gap-3">
          {now?.state === 'active' && (
            <Button
              size="lg"
              className="max-sm:w-full"
              busy={undo.isPending}
              onClick={() => undo.mutate({ receipt })}
            >
              {undo.isPending ? texts.undoing : texts.undo}
            </Button>
          )}
          {now && (
            <Link
              to="/album/$albumName"
              params={{ albumName: now.albumName }}
              className={buttonLook('secondary', 'lg')}
            >
              {texts.toAlbum}
            </Link>
          )}
        </div>
      </Card>
    </Page>
  )
}
