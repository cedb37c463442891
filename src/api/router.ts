import { albumsRouter } from './albums-router.ts'
import { mailSetupRouter } from './mail-setup-router.ts'
import { submissionsRouter } from './submissions-router.ts'
import { router } from './trpc.ts'

export const appRouter = router({
  albums: albumsRouter,
  submissions: submissionsRouter,
  mailSetup: mailSetupRouter,
})

/** All that the web app knows of the server. */
export type AppRouter = typeof appRouter
