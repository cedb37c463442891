import { deleteEndedWindows } from '../albums/limit-queries.ts'
import { definePeriodic } from './define-queue.ts'

/** Who called is kept, as a keyed hash, for no longer than it counts. */
export const forgetCalls = definePeriodic('forget-calls', '*/10 * * * *', ({ db }) => deleteEndedWindows(db))
