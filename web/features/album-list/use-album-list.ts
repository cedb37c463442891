import { LISTED_ALBUMS_SHOWN } from '../../../src/contract/limits.ts'
import { trpc } from '../../trpc.ts'

/** The public list of albums, a page at a time. */
export function useAlbumList() {
  return trpc.albums.listPage.useInfiniteQuery(
    { limit: LISTED_ALBUMS_SHOWN },
    { getNextPageParam: ({ nextCursor }) => nextCursor },
  )
}

export type AlbumList = ReturnType<typeof useAlbumList>
