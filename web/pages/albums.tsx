import { Link } from '@tanstack/react-router'
import { PAGES } from '../../src/contract/pages.ts'
import { failureText } from '../lib/failure.ts'
import { formatDate } from '../lib/format.ts'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ArrowIcon, PhotosIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3'

export default function AlbumsPage() {
  usePageHead(PAGES.albums)
  const albums = trpc.albums.list.useQuery()

  return (
    <Page>
      <PageHeading
        title="Browse Photo Albums"
        subtitle="Find your event, then yourself. Each album opens with its own password."
      />
      {albums.isPending && (
        <div className={GRID} role="status">
          <span className="sr-only">Loading albums</span>
          {['a', 'b', 'c'].map((key) => (
            <Skeleton key={key} className="h-52 rounded-xl" />
          ))}
        </div>
      )}
      {albums.isError && (
        <Notice tone="error" title="Failed to fetch albums">
          <p>{failureText(albums.error)}</p>
          <Button look="secondary" className="mt-4" onClick={() => albums.refetch()}>
            Try again
          </Button>
        </Notice>
      )}
      {albums.data?.length === 0 && (
        <EmptyState
          icon={<PhotosIcon className="size-10" />}
          title="No Albums Yet"
          action={
            <Link to="/get-started" className={buttonLook()}>
              Create Album
            </Link>
          }
        >
          Be the first: upload your event's photos and share one link.
        </EmptyState>
      )}
      {albums.data && albums.data.length > 0 && (
        <ul className={GRID}>
          {albums.data.map((album) => (
            <li
              key={album.id}
              className="flex min-w-0 flex-col rounded-xl border border-line bg-surface p-6 shadow-card"
            >
              <h2 dir="auto" className="text-left text-heading font-semibold">
                {album.displayName}
              </h2>
              <p className="mt-1 text-sm text-ink-soft">
                Created <time dateTime={album.createdAt}>{formatDate(album.createdAt)}</time>
              </p>
              <p
                className="mt-4 mb-6 truncate rounded-md bg-sunken px-3 py-2 font-mono text-sm text-ink-soft"
                title={`/album/${album.albumName}`}
              >
                /album/{album.albumName}
              </p>
              <Link
                to="/album/$albumName"
                params={{ albumName: album.albumName }}
                className={`${buttonLook('primary')} mt-auto`}
                aria-label={`Find My Photos in ${album.displayName}`}
              >
                Find My Photos
                <ArrowIcon />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}
