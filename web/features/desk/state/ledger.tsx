import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Coverage } from '../../../../src/contract/albums/albums.ts'
import type { WhichPhotos } from '../../../../src/contract/desk-photos.ts'
import { ALBUM_PROGRESS_POLL_MS } from '../../../../src/contract/limits.ts'
import { photoKinds, ledger as texts } from '../../../../src/texts/english/desk/desk-photos.ts'
import { digits } from '../../../../src/texts/numbers.ts'
import { failureText } from '../../../lib/failure.ts'
import { useEnded } from '../../../lib/use-ended.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { ReasonList } from '../../photos/reason-list.tsx'
import { DeskCard } from '../desk-card.tsx'
import type { SectionProps } from '../sections.ts'

/** Ms, while nothing moves: an upload may begin in another window. */
const QUIET_POLL_MS = 10_000

/** What became of everything that was sent, in numbers that add up. */
export default function Ledger(props: SectionProps) {
  const { id } = props.album
  const coverage = trpc.albums.coverage.useQuery(
    { id },
    {
      refetchInterval: ({ state }) =>
        state.data?.photosWaiting || props.progress.isUploadingToS3 ? ALBUM_PROGRESS_POLL_MS : QUIET_POLL_MS,
      // It was left while photos were indexed, or changed elsewhere on the desk.
      staleTime: 0,
    },
  )
  // While it asks again, the error may be of a session before.
  useEnded(!coverage.isFetching && coverage.error, props)
  const { data } = coverage
  return (
    <DeskCard title={texts.title}>
      <FailureNotice
        error={coverage.error}
        className="mt-4"
        title={texts.notLoaded}
        onRetry={coverage.refetch}
      />
      {data ? (
        <Numbers {...props} coverage={data} />
      ) : (
        !coverage.error && (
          <div role="status">
            <p className="sr-only">{texts.loading}</p>
            <Skeleton className="mt-4 h-80" />
          </div>
        )
      )}
    </DeskCard>
  )
}

function Numbers({ album, progress, coverage }: SectionProps & { coverage: Coverage }) {
  const { photosStored, photosWaiting, photosGivenUp, photosPartlySearchable, skippedFiles } = coverage
  const row = { albumName: album.albumName }
  return (
    <>
      {photosWaiting > 0 && (
        <div className="mt-4">
          <p className="mb-2 text-ink-soft tabular-nums">
            {texts.searching(photosStored - photosWaiting, photosStored)}
          </p>
          <ProgressBar label={texts.progress} done={1 - photosWaiting / photosStored} />
        </div>
      )}
      <dl className="mt-4 divide-y divide-line">
        <Row {...row} label={texts.sent} count={coverage.filesSent} />
        <Row {...row} label={texts.skipped} count={coverage.filesSkipped} level={1} />
        <Row {...row} which="all" label={texts.stored} count={photosStored} level={1} />
        <Row
          {...row}
          which="searchable"
          label={progress.facesEndedAt ? texts.couldBeFound : photoKinds.searchable}
          count={coverage.photosSearchable}
          level={2}
        />
        {photosPartlySearchable > 0 && (
          <Row {...row} which="partly" label={photoKinds.partly} count={photosPartlySearchable} level={3} />
        )}
        <Row {...row} which="nobody" label={photoKinds.nobody} count={coverage.photosOfNobody} level={2} />
        <Row {...row} which="unclear" label={photoKinds.unclear} count={coverage.photosUnclear} level={2} />
        <Row {...row} which="hidden" label={photoKinds.hidden} count={coverage.photosHidden} level={2} />
        <Row {...row} which="given_up" label={photoKinds.given_up} count={photosGivenUp} level={2}>
          {photosGivenUp > 0 && <Retry id={album.id} />}
        </Row>
        <Row {...row} which="waiting" label={photoKinds.waiting} count={photosWaiting} level={2} />
      </dl>
      <p className="mt-4 text-ink-soft">{texts.faces(coverage.facesFound)}</p>
      <ReasonList
        files={skippedFiles.map(({ filename, reason }) => ({ filename, message: reason }))}
        count={coverage.filesSkipped}
      />
    </>
  )
}

const LOOKS = ['font-semibold', 'font-medium', '', 'text-sm text-ink-soft']

interface RowProps {
  albumName: string
  /** The photos that are counted. Missing for files. */
  which?: WhichPhotos
  label: string
  count: number
  /** A row is a part of the row before it that has a lower level. */
  level?: 0 | 1 | 2 | 3
  children?: ReactNode
}

function Row({ albumName, which, label, count, level = 0, children }: RowProps) {
  return (
    <div
      className={`flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2 ${LOOKS[level]}`}
      style={{ paddingInlineStart: `${1.25 * level}rem` }}
    >
      <dt className="min-w-0 grow basis-40 py-2">{label}</dt>
      <dd className="flex items-center gap-3 tabular-nums">
        {children}
        {which && count > 0 ? (
          <Link
            to="/manage/$albumName/{-$section}"
            params={{ albumName, section: 'photos' }}
            search={{ which }}
            aria-label={texts.see(label, count)}
            className="inline-flex min-h-11 min-w-11 items-center justify-end underline decoration-line-strong underline-offset-4 hover:decoration-ink"
          >
            {digits(count)}
          </Link>
        ) : (
          <span className="inline-flex min-h-11 min-w-11 items-center justify-end">{digits(count)}</span>
        )}
      </dd>
    </div>
  )
}

/** Searches photos again that were given up. */
function Retry({ id }: { id: string }) {
  const { albums } = trpc.useUtils()
  const retry = trpc.albums.retryPhotos.useMutation({
    onSuccess({ photosWaiting }) {
      toast({ title: texts.tried(photosWaiting), tone: 'success' })
      void albums.coverage.invalidate({ id })
    },
    onError: (error) => toast({ title: texts.notTried, description: failureText(error), tone: 'error' }),
  })
  return (
    <Button look="secondary" busy={retry.isPending} onClick={() => retry.mutate({ id })}>
      {retry.isPending ? texts.retrying : texts.retry}
    </Button>
  )
}
