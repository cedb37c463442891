import { albumsRouter } from './albums-router.ts'
import { router } from './trpc.ts'

export const appRouter = router({ albums: albumsRouter })

/** All that the web app knows of the server. */
export type AppRouter = typeof appRouter
