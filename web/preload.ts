import { createTRPCQueryUtils } from '@trpc/react-query'
import { LISTED_ALBUMS_SHOWN } from '../src/contract/limits.ts'
import { queryClient, trpcClient } from './trpc.ts'

const calls = createTRPCQueryUtils({ queryClient, client: trpcClient })

/** The first calls of pages. A call that fails here is ignored: the page makes it again and shows the failure. */
export const preload = {
  albums: () => calls.albums.listPage.prefetchInfinite({ limit: LISTED_ALBUMS_SHOWN }, {}),
  album: (albumName: string) => calls.albums.visit.prefetch({ albumName }),
}
