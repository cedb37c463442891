import { Link } from '@tanstack/react-router'
import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles } from '../../src/texts/english.ts'
import { AlbumCards, CARD_GRID } from '../features/album-list/album-cards.tsx'
import { useAlbumList } from '../features/album-list/use-album-list.ts'
import { failureText } from '../lib/failure.ts'
import { usePageHead } from '../lib/page-head.ts'
import { Button } from '../ui/button.tsx'
import { buttonLook } from '../ui/button-look.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PhotosIcon } from '../ui/more-icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

export default function AlbumsPage() {
  usePageHead(PAGES.albums, pageTitles.albums)
  const list = useAlbumList()
  const albums = list.data?.pages[0]?.albums ?? []

  return (
    <Page>
      <PageHeading
        title="Browse Photo Albums"
        subtitle="Find your event, then yourself. Each album opens with its own password."
      />
      {list.isPending && (
        <div className={CARD_GRID} role="status">
          <span className="sr-only">Loading albums</span>
          {['a', 'b', 'c'].map((key) => (
            <Skeleton key={key} className="h-52 rounded-xl" />
          ))}
        </div>
      )}
      {list.isError && !list.data && (
        <Notice tone="error" title="Failed to fetch albums">
          <p>{failureText(list.error)}</p>
          <Button look="secondary" className="mt-4" onClick={() => list.refetch()}>
            Try again
          </Button>
        </Notice>
      )}
      {list.data && albums.length === 0 && (
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
      {albums.length > 0 && <AlbumCards list={list} />}
    </Page>
  )
}
