import { purgeSubmissions } from '../search/submission-retention.ts'
import { definePeriodic } from './define-queue.ts'

/** Keeps the promise that a selfie is gone after five minutes, whatever has died meanwhile. */
export const purgeSubmissionsEveryMinute = definePeriodic('purge-submissions', '* * * * *', (deps) =>
  purgeSubmissions(deps),
)
