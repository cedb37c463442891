import { useLayoutEffect, useRef } from 'react'
import { albumCards as texts } from '../../../src/texts/english/organiser.ts'
import * as common from '../../../src/texts/english/words.ts'
import { failureText } from '../../lib/failure.ts'
import { isFocusLost } from '../../lib/focus.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AlbumCard } from './album-card.tsx'
import type { AlbumList } from './use-album-list.ts'

export const CARD_GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3'

/** The albums that are loaded, and a button that loads more. */
export function AlbumCards({ list }: { list: AlbumList }) {
  const pages = list.data?.pages ?? []
  const albums = pages.flatMap((page) => page.albums)
  const { cards, button, focusNext } = useFocusOnNew(albums.length)

  function showMore() {
    if (list.isFetchingNextPage) return
    focusNext()
    void list.fetchNextPage()
  }

  return (
    <>
      <ul ref={cards} className={CARD_GRID}>
        {albums.map((album) => (
          <AlbumCard key={album.id} album={album} />
        ))}
      </ul>
      {list.isFetchNextPageError && (
        <Notice tone="error" className="mt-6" title={texts.failed}>
          {failureText(list.error)}
        </Notice>
      )}
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

/** Moves the keyboard's focus from the button to the first album that the button has loaded.
 *  @param shown the number of albums */
function useFocusOnNew(shown: number) {
  const cards = useRef<HTMLUListElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const next = useRef<number>(null)
  useLayoutEffect(() => {
    if (next.current === null || shown <= next.current) return
    const isOnButton = document.activeElement === button.current || isFocusLost()
    if (isOnButton) cards.current?.children[next.current]?.querySelector('a')?.focus()
    next.current = null
  }, [shown])
  const focusNext = () => {
    next.current = shown
  }
  return { cards, button, focusNext }
}
