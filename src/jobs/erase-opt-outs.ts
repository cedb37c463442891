import { eraseOptOuts } from '../opt-outs/erase-opt-outs.ts'
import { forgetCallers } from '../opt-outs/opt-out-queries.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

/** Erases the faces of guests who opted out 72 hours ago, and forgets where guests called from. */
export const eraseOptOutsInTime = defineHandler(queues.eraseOptOuts, {
  async handle(deps) {
    await eraseOptOuts(deps)
    await forgetCallers(deps.db)
  },
})
