import { useCallback, useRef, useState } from 'react'
import { LISTED_ALBUMS_SHOWN } from '../../../src/contract/limits.ts'
import { albumCards as texts } from '../../../src/texts/english/organiser.ts'
import * as common from '../../../src/texts/english/words.ts'
import { isFocusLost } from '../../lib/focus.ts'
import { trpc } from '../../trpc.ts'
import { FailureNotice, MoreButton } from '../../ui/loading.tsx'
import { AlbumCard } from './album-card.tsx'

export const CARD_GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3'

/** The public list of albums, a page at a time. */
export function useAlbumList() {
  return trpc.albums.listPage.useInfiniteQuery(
    { limit: LISTED_ALBUMS_SHOWN },
    { getNextPageParam: ({ nextCursor }) => nextCursor },
  )
}

type AlbumList = ReturnType<typeof useAlbumList>

/** The albums that are loaded, and a button that loads more. */
export function AlbumCards({ list }: { list: AlbumList }) {
  const pages = list.data?.pages ?? []
  const albums = pages.flatMap((page) => page.albums)
  const button = useRef<HTMLButtonElement>(null)
  /** The place of the first album that the button has loaded. */
  const [firstNew, setFirstNew] = useState<number>()
  // The keyboard's focus moves there from the button.
  const focusFirstNew = useCallback((card: HTMLLIElement | null) => {
    if (document.activeElement === button.current || isFocusLost()) card?.querySelector('a')?.focus()
  }, [])

  function showMore() {
    if (list.isFetchingNextPage) return
    setFirstNew(albums.length)
    void list.fetchNextPage()
  }

  return (
    <>
      <ul className={CARD_GRID}>
        {albums.map((album, place) => (
          <AlbumCard key={album.id} ref={place === firstNew ? focusFirstNew : undefined} album={album} />
        ))}
      </ul>
      <FailureNotice error={list.isFetchNextPageError && list.error} className="mt-6" title={texts.failed} />
      {list.hasNextPage && (
        <div className="mt-8 flex justify-center">
          <MoreButton ref={button} size="lg" isLoading={list.isFetchingNextPage} onClick={showMore}>
            {list.isFetchNextPageError ? common.tryAgain : common.showMore}
          </MoreButton>
        </div>
      )}
      {pages.length > 1 && !list.hasNextPage && <p className="mt-8 text-center text-ink-soft">{texts.end}</p>}
    </>
  )
}
