import { deleteEndedWindows } from '../albums/limit-queries.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

/** Deletes the keyed hashes of callers as soon as they no longer count for a rate limit. */
export const forgetCalls = defineHandler(queues.forgetCalls, {
  handle: ({ db }) => deleteEndedWindows(db),
})
