import { FAILURE_WINDOW_SECONDS } from '../albums/authenticate.ts'
import { deletePasswordFailures } from '../albums/queries.ts'
import { definePeriodic } from './define-queue.ts'

/** Wrong passwords are kept for no longer than they count. */
export const forgetPasswordFailures = definePeriodic('forget-password-failures', '*/10 * * * *', ({ db }) =>
  deletePasswordFailures(db, FAILURE_WINDOW_SECONDS),
)
