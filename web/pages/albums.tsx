import { Link } from '@tanstack/react-router'
import { type Ref, useState } from 'react'
import type { AlbumSummary } from '../../src/contract/albums/albums.ts'
import { LISTED_ALBUMS_SHOWN } from '../../src/contract/limits.ts'
import { albumCard, albums as texts } from '../../src/texts/english/organiser.ts'
import * as common from '../../src/texts/english/words.ts'
import { formatDate } from '../lib/format.ts'
import { Later, lazyPart, orNothing } from '../lib/lazy-part.ts'
import { trpc } from '../trpc.ts'
import { PhotosIcon } from '../ui/action-icons.tsx'
import { buttonLook } from '../ui/button-look.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { FailureNotice, MoreButton } from '../ui/loading.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const SendMyAlbums = lazyPart(() => import('../features/own-albums/send-my-albums.tsx').catch(orNothing))

const CARD_GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3'

/** The public list of albums, a page at a time. */
export default function AlbumsPage() {
  const list = trpc.albums.listPage.useInfiniteQuery(
    { limit: LISTED_ALBUMS_SHOWN },
    { getNextPageParam: ({ nextCursor }) => nextCursor },
  )
  const pages = list.data?.pages ?? []
  const albums = pages.flatMap((page) => page.albums)
  /** The place of the first album that the button has loaded. */
  const [firstNew, setFirstNew] = useState<number>()

  function showMore() {
    if (list.isFetchingNextPage) return
    setFirstNew(albums.length)
    void list.fetchNextPage()
  }

  return (
    <Page>
      <PageHeading title={texts.title} subtitle={texts.subtitle} />
      {list.isPending && (
        <div className={CARD_GRID} role="status">
          <span className="sr-only">{texts.loading}</span>
          {['a', 'b', 'c'].map((key) => (
            <Skeleton key={key} className="h-52 rounded-xl" />
          ))}
        </div>
      )}
      {list.data && albums.length === 0 && (
        <EmptyState
          icon={<PhotosIcon className="size-10" />}
          title={texts.none}
          action={
            <Link to="/get-started" className={buttonLook()}>
              {texts.create}
            </Link>
          }
        >
          {texts.beTheFirst}
        </EmptyState>
      )}
      {albums.length > 0 && (
        <ul className={CARD_GRID}>
          {albums.map((album, place) => (
            <AlbumCard key={album.id} ref={place === firstNew ? focusFirstNew : undefined} album={album} />
          ))}
        </ul>
      )}
      <FailureNotice
        error={list.error}
        className={list.data && 'mt-6'}
        title={texts.failed}
        onRetry={list.data ? undefined : list.refetch}
      />
      {list.hasNextPage && (
        <div className="mt-8 flex justify-center">
          <MoreButton size="lg" isLoading={list.isFetchingNextPage} onClick={showMore}>
            {list.isFetchNextPageError ? common.tryAgain : common.showMore}
          </MoreButton>
        </div>
      )}
      {pages.length > 1 && !list.hasNextPage && <p className="mt-8 text-center text-ink-soft">{texts.end}</p>}
      <div className="mx-auto mt-10 max-w-form">
        <Later>
          <SendMyAlbums />
        </Later>
      </div>
    </Page>
  )
}

/** The keyboard's focus moves there from the button. */
function focusFirstNew(card: HTMLLIElement | null): void {
  card?.querySelector('a')?.focus()
}

function AlbumCard({ album, ref }: { album: AlbumSummary; ref: Ref<HTMLLIElement> | undefined }) {
  const { albumName, displayName, createdAt } = album
  return (
    <li ref={ref} className="flex min-w-0 flex-col rounded-xl border border-line bg-surface p-6 shadow-card">
      <h2 dir="auto" className="text-left text-heading font-semibold">
        {displayName}
      </h2>
      <p className="mt-1 text-sm text-ink-soft">
        <Sentence of={albumCard.created(<time dateTime={createdAt}>{formatDate(createdAt)}</time>)} />
      </p>
      <p
        className="mt-4 mb-6 truncate rounded-md bg-sunken px-3 py-2 font-mono text-sm text-ink-soft"
        title={`/album/${albumName}`}
      >
        /album/{albumName}
      </p>
      <Link
        to="/album/$albumName"
        params={{ albumName }}
        className={`${buttonLook('primary')} mt-auto`}
        aria-label={albumCard.findIn(displayName)}
      >
        {albumCard.find}
        <ArrowIcon />
      </Link>
    </li>
  )
}
