import { Link } from '@tanstack/react-router'
import { albums as texts } from '../../src/texts/english/organiser.ts'
import * as pageTitles from '../../src/texts/english/page-titles.ts'
import * as common from '../../src/texts/english/words.ts'
import { AlbumCards, CARD_GRID, useAlbumList } from '../features/album-list/album-cards.tsx'
import { failureText } from '../lib/failure.ts'
import { Later, lazyPart, orNothing } from '../lib/lazy-part.ts'
import { usePageHead } from '../lib/page-head.ts'
import { PhotosIcon } from '../ui/action-icons.tsx'
import { Button } from '../ui/button.tsx'
import { buttonLook } from '../ui/button-look.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const SendMyAlbums = lazyPart(() => import('../features/own-albums/send-my-albums.tsx').catch(orNothing))

export default function AlbumsPage() {
  usePageHead('albums', pageTitles.albums)
  const list = useAlbumList()
  const albums = list.data?.pages[0]?.albums ?? []

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
      {list.isError && !list.data && (
        <Notice tone="error" title={texts.failed}>
          <p>{failureText(list.error)}</p>
          <Button look="secondary" className="mt-4" onClick={() => list.refetch()}>
            {common.tryAgain}
          </Button>
        </Notice>
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
      {albums.length > 0 && <AlbumCards list={list} />}
      <div className="mx-auto mt-10 max-w-form">
        <Later>
          <SendMyAlbums />
        </Later>
      </div>
    </Page>
  )
}
