import { createTRPCQueryUtils } from '@trpc/react-query'
import { queryClient, trpcClient } from './trpc.ts'

const calls = createTRPCQueryUtils({ queryClient, client: trpcClient })

/** What the pages ask first. A call that fails here says nothing: the page asks again and shows the failure. */
export const preload = {
  albums: () => calls.albums.list.prefetch(),
  album: (albumName: string) => calls.albums.visit.prefetch({ albumName }),
}
