import { createTRPCQueryUtils } from '@trpc/react-query'
import { queryClient, trpcClient } from './trpc.ts'

const calls = createTRPCQueryUtils({ queryClient, client: trpcClient })

/** The first calls of pages. A call that fails here is ignored: the page makes it again and shows the failure. */
export const preload = {
  albums: () => calls.albums.list.prefetch(),
  album: (albumName: string) => calls.albums.visit.prefetch({ albumName }),
}
