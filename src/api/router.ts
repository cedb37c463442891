import { albumsRouter } from './albums-router.ts'
import { alertsRouter } from './alerts-router.ts'
import { mailSetupRouter } from './google-router.ts'
import { optOutsRouter } from './opt-outs-router.ts'
import { lettersRouter } from './recipients-router.ts'
import { submissionsRouter } from './submissions-router.ts'
import { router } from './trpc.ts'
import { zipsRouter } from './zips-router.ts'

export const appRouter = router({
  albums: albumsRouter,
  submissions: submissionsRouter,
  zips: zipsRouter,
  letters: lettersRouter,
  optOuts: optOutsRouter,
  alerts: alertsRouter,
  mailSetup: mailSetupRouter,
})

/** The only type of the server that the web app imports. */
export type AppRouter = typeof appRouter
